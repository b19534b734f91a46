// SPDX-License-Identifier: MPL-2.0
// Reads the audit log of one agent's session: prints what was refused and how often, and fails where
// a refusal belongs to the work itself or an environment outside the session was not refused.
'use strict';
const fs = require('fs');

const [audit, project] = process.argv.slice(2);
const events = fs.readFileSync(audit, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const refused = events.filter((e) => ['deny', 'hide', 'hold'].includes(e.verdict));

function object(e) {
  if (e.path !== undefined) return e.path;
  if (e.target) return `process ${e.target.comm}`;
  if (e.address) return `${e.address}:${e.port}`;
  if (e.device) return `an object without a path (device ${e.device}, inode ${e.inode}, ${(e.flags || []).join(' ')})`;
  return `${e.family || ''} ${e.type || ''}`;
}

const counts = new Map();
for (const e of refused) {
  const key = `${e.verdict} ${e.op} ${object(e)}  (${e.rule}; ${e.reason || 'no reason'})  by ${e.program}`;
  counts.set(key, (counts.get(key) || 0) + 1);
}
for (const [key, n] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${String(n).padStart(6)} ${key}`);

let failures = 0;
function must(what, ok) {
  if (!ok) {
    console.log(`FAILED: ${what}`);
    failures += 1;
  }
}

const ofWork = refused.filter((e) => (e.path || '').startsWith(`${project}/`));
must(`something in the project was refused: ${ofWork.map(object)}`, ofWork.length === 0);
must('a program was refused', refused.filter((e) => e.op === 'exec' || e.op === 'map').length === 0);
// What no rule names was not meant to be refused: it is the work's until somebody says otherwise.
const unnamed = refused.filter((e) => e.rule === 'default' && e.op !== 'touch');
must(`refused by no rule: ${unnamed.map(object)}`, unnamed.length === 0);
const touched = events.filter((e) => e.op === 'touch');
must('a process outside the session was touched', touched.every((e) => e.verdict === 'deny'));
must('the model was not reached', events.some((e) => e.op === 'connect' && e.port === 8123 && e.verdict === 'allow'));
must('records were lost', !events.some((e) => e.kind === 'gap'));
console.log(`${events.length} lines, ${refused.length} refusals, ${touched.length} attempts on other processes`);
process.exit(failures ? 1 : 0);
