/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How the HTML report looks, as CSS.
 */
#pragma once

extern const char view_report_style[];
