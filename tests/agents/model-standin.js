// SPDX-License-Identifier: MPL-2.0
// Answers like the two model services, on loopback, with a fixed script of tool calls, so that real agents can do one small task without a model.
'use strict';
const http = require('http');
const fs = require('fs');

const project = process.env.PROJECT || process.cwd();
const port = Number(process.env.PORT || 8123);
const route = project + '/src/routes/users.js';
const log = process.env.LOG ? fs.createWriteStream(process.env.LOG, { flags: 'a' }) : null;

const source = `const express = require('express');
const router = express.Router();
let users = [];
router.post('/', (req, res) => {
  const { name, email, password } = req.body;
  if (!name) return res.status(400).json({ error: 'name is required' });
  if (!/^[^@ ]+@[^@ ]+$/.test(email || '')) return res.status(400).json({ error: 'email is invalid' });
  if (!password || password.length < 8) return res.status(400).json({ error: 'password is too short' });
  const user = { id: users.length + 1, name, email };
  users.push(user);
  res.status(201).json(user);
});
module.exports = router;
`;
const check = 'git status --short && node --check src/routes/users.js && npm ls --depth=0 && git diff --stat';

// what the model "decides", one step per request; the number of tool results seen so far picks the step
const messagesSteps = [
  ['Read', { file_path: route }],
  ['Write', { file_path: route, content: source }],
  ['Bash', { command: check, description: 'check the change' }],
];
const responsesSteps = ['cat src/routes/users.js', `cat > src/routes/users.js <<'END'\n${source}END`, check];

function stream(res, events) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [type, data] of events) res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  res.end();
}

function json(res, code, body) {
  res.writeHead(code, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

function messages(req, res) {
  const results = (req.messages || []).flatMap((m) => (Array.isArray(m.content) ? m.content : [])).filter((c) => c.type === 'tool_result').length;
  const step = (req.tools || []).some((t) => t.name === 'Bash') ? messagesSteps[results] : undefined;
  const block = step ? { type: 'tool_use', id: `toolu_${results}`, name: step[0], input: step[1] } : { type: 'text', text: 'Done.' };
  const stop = step ? 'tool_use' : 'end_turn';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: req.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } };
  if (!req.stream) return json(res, 200, { ...message, content: [block], stop_reason: stop });
  stream(res, [
    ['message_start', { message }],
    ['content_block_start', { index: 0, content_block: step ? { ...block, input: {} } : { type: 'text', text: '' } }],
    ['content_block_delta', { index: 0, delta: step ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } : { type: 'text_delta', text: block.text } }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } }],
    ['message_stop', {}],
  ]);
}

function responses(req, res) {
  const results = (req.input || []).filter((i) => /_call_output$/.test(i.type || '')).length;
  const names = (req.tools || []).map((t) => t.name || t.type);
  const command = responsesSteps[results];
  let item = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
  if (command !== undefined) {
    const name = ['exec_command', 'shell_command'].find((n) => names.includes(n)) || 'shell';
    const args = name === 'exec_command' ? { cmd: command, yield_time_ms: 10000 } : name === 'shell_command' ? { command } : { command: ['bash', '-lc', command] };
    item = { type: 'function_call', id: `fc_${results}`, call_id: `call_${results}`, name, arguments: JSON.stringify(args) };
  }
  const response = { id: `resp_${results}`, object: 'response', status: 'in_progress', output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  stream(res, [
    ['response.created', { response }],
    ['response.output_item.done', { output_index: 0, item }],
    ['response.completed', { response: { ...response, status: 'completed', output: [item], usage } }],
  ]);
}

http.createServer((req, res) => {
  let body = '';
  req.on('data', (d) => (body += d));
  req.on('end', () => {
    if (log) log.write(`${req.method} ${req.url} ${body.length}\n`);
    let parsed = {};
    try { parsed = JSON.parse(body); } catch (e) { /* HEAD and GET have no body */ }
    if (req.url.startsWith('/v1/messages/count_tokens')) return json(res, 200, { input_tokens: 100 });
    if (req.url.startsWith('/v1/messages')) return messages(parsed, res);
    if (req.url.includes('/responses')) return responses(parsed, res);
    if (req.url.includes('/models')) return json(res, 200, { data: [], models: [] });
    return json(res, 404, { error: { type: 'not_found' } });
  });
}).listen(port, '127.0.0.1', () => console.log(`model stand-in on 127.0.0.1:${port}`));
