import { ParseServer } from 'parse-server'

import N from 'parse-server/lib/Adapters/Cache/NullCacheAdapter.js'
const NC = N.NullCacheAdapter ?? N.default
const { PORT, DATABASE_URL, APPLICATION_ID } = process.env
const port = Number(PORT)

await ParseServer.startApp({
  appId: APPLICATION_ID,
  masterKey: 'bench-master-key-never-used-elsewhere',
  databaseURI: DATABASE_URL,
  serverURL: `http://127.0.0.1:${port}/parse`,
  mountPath: '/parse',
  host: '127.0.0.1',
  port,
  logLevel: 'error',
  silent: true,
  verbose: false,
  logsFolder: null,
  allowClientClassCreation: false,
  verifyServerUrl: false,
  ...(process.env.NOCACHE ? { cacheAdapter: NC } : {}),
})
