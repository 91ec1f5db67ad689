import express from 'express'
import { ParseServer } from 'parse-server'

const port = Number(process.env.PORT ?? 1337)
const server = new ParseServer({
  databaseURI: process.env.OLD_DATABASE,
  appId: 'my-app',
  masterKey: 'master',
  serverURL: `http://localhost:${port}/parse`,
  cloud: './cloud/main.js',
  allowClientClassCreation: true,
  logLevel: 'error',
})
await server.start()
express().use('/parse', server.app).listen(port, '127.0.0.1')
