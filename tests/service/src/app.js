// SPDX-License-Identifier: MPL-2.0
'use strict';
const express = require('express');

const app = express();
app.use(express.json());
app.use('/users', require('./routes/users'));

module.exports = app;
