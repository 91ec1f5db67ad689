import { ParseServer } from 'parse-server'
import pg from 'pg'
import { cloudFile } from '../competitors/countersign.mjs'
import { createWalletAdapter } from './createWalletAdapter.mjs'

const { PORT, DATABASE_URL = '', APPLICATION_ID = '', SESSION_CACHE } = process.env
const port = Number(PORT)
// Idle connections must not keep it from stopping on a signal.
const pool = new pg.Pool({ connectionString: DATABASE_URL, allowExitOnIdle: true })

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
  // @ts-expect-error: its documentation asks for null where no files are wanted; its types do not know that.
  logsFolder: null,
  allowClientClassCreation: false,
  cloud: cloudFile,
  verifyServerUrl: false,
  liveQuery: { classNames: ['Live'] },
  startLiveQueryServer: true,
  // @ts-expect-error: its documentation gives a custom adapter as `module`; its types do not know that.
  auth: { wallet: { module: await createWalletAdapter(pool, `127.0.0.1:${port}`) } },
  ...(SESSION_CACHE === 'off' ? { cacheAdapter: 'parse-server/lib/Adapters/Cache/NullCacheAdapter.js' } : {}),
})
