// SPDX-License-Identifier: MPL-2.0
'use strict';
const assert = require('node:assert');
const test = require('node:test');
const app = require('../src/app');

test('a user that was posted is listed', async () => {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${server.address().port}/users`;
  try {
    const body = JSON.stringify({ name: 'Ada', email: 'ada@example.org', password: 'long enough' });
    const headers = { 'content-type': 'application/json' };
    const posted = await fetch(url, { method: 'POST', headers, body });
    assert.strictEqual(posted.status, 201);
    assert.strictEqual((await (await fetch(url)).json())[0].name, 'Ada');
  } finally {
    server.close();
    server.closeAllConnections?.();
  }
});
