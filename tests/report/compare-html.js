// SPDX-License-Identifier: MPL-2.0
//
// Whether the charts of a report say what its JSON says. Argument: the document as the browser has
// it.
'use strict';

const fs = require('fs');

// What a mark's data-value is in the table that it names, where data-column does not say so.
const columns = { places: 'files' };

const dom = fs.readFileSync(process.argv[2], 'utf8');
const json = dom.match(/<script type="application\/json" id="report">([^]*?)<\/script>/);
const report = JSON.parse(json[1]);
let wrong = 0;
let marks = 0;

function complain(what) {
	console.error(what);
	wrong++;
}

function expect(what, seen, expected) {
	if (Number(seen) !== expected)
		complain(`${what} is drawn as ${seen}, and is ${expected}`);
}

function attributes(tag) {
	return Object.fromEntries([...tag.matchAll(/data-(\w+)="([^"]*)"/g)]
		.map(([, name, value]) => [name, value]));
}

const perTable = {};
for (const [tag] of dom.matchAll(/<rect[^>]*data-table=[^>]*>/g)) {
	const { table, row, column, value } = attributes(tag);
	const key = column || columns[table];
	expect(`${table}[${row}].${key}`, value, report.tables[table].rows[row][key]);
	perTable[table] = (perTable[table] || 0) + 1;
	marks++;
}
// Every place and every span with something in it is drawn.
expect('marks of places', perTable.places || 0, report.tables.places.rows.length);
expect('marks of the timeline', perTable.timeline || 0, report.tables.timeline.rows
	.flatMap((row) => ['files', 'programs', 'network', 'others', 'refused'].map((k) => row[k]))
	.filter((n) => n > 0).length);
for (const [tag] of dom.matchAll(/<dd[^>]*data-count=[^>]*>/g)) {
	const { count, value } = attributes(tag);
	expect(count, value, report.counts[count]);
	marks++;
}
if ((dom.match(/<script/g) || []).length !== 1)
	complain('there are scripts');
for (const [what] of dom.matchAll(/\s(?:src|srcset|href|action|on\w+)="(?!data:,)[^"]*"|url\(/g))
	complain(`something is fetched or runs: ${what}`);
if (!marks)
	complain('there is nothing to compare');
console.log(`compare-html: ${marks} marks`);
process.exit(wrong ? 1 : 0);
