// SPDX-License-Identifier: MPL-2.0
'use strict';
const express = require('express');

const router = express.Router();
const users = [];

router.get('/', (req, res) => {
  res.json(users);
});

router.post('/', (req, res) => {
  const { name, email } = req.body;
  const user = { id: users.length + 1, name, email };
  users.push(user);
  res.status(201).json(user);
});

module.exports = router;
