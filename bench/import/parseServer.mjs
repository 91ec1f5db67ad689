import { ParseServer } from 'parse-server'

const { PORT, DATABASE_URL = '', APPLICATION_ID = '', MASTER_KEY = '', FILES = '' } = process.env

await ParseServer.startApp({
  appId: APPLICATION_ID,
  masterKey: MASTER_KEY,
  databaseURI: DATABASE_URL,
  serverURL: `http://127.0.0.1:${PORT}/parse`,
  mountPath: '/parse',
  host: '127.0.0.1',
  port: Number(PORT),
  silent: true,
  // @ts-expect-error: its documentation asks for null where no files are wanted; its types do not know that.
  logsFolder: null,
  allowClientClassCreation: true,
  verifyServerUrl: false,
  filesAdapter: { module: '@parse/fs-files-adapter', options: { filesSubDirectory: FILES } },
})
