// SPDX-License-Identifier: MPL-2.0
'use strict';
const app = require('./app');

const port = Number(process.env.PORT || 3000);
const server = app.listen(port, '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});
