/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How the HTML report looks, as CSS.
 */
#ifndef GRITH_VIEW_REPORT_STYLE_H
#define GRITH_VIEW_REPORT_STYLE_H

extern const char view_report_style[];

#endif
