import { fileURLToPath } from 'node:url'

const applicationId = 'bench'

/** @type {import('../types.d.ts').Contestant} */
export const parseServer = {
  name: 'parse-server',
  about: 'Its own memory cache on (the default), logs at error level, no rate limit, bcrypt cost 10 (native).',
  wire: 'parse',
  packages: ['parse-server', 'express', 'pg-promise', '@node-rs/bcrypt'],
  mount: '/parse',
  applicationId,
  readyPath: '/parse/health',
  program: ({ port, databaseUrl }) => ({
    file: fileURLToPath(new URL('../servers/parseServer.mjs', import.meta.url)),
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      APPLICATION_ID: applicationId,
      NODE_ENV: 'production',
    },
  }),
}

export const parseNoCache = { ...parseServer, name: 'parse-nocache', program: (p) => { const x = parseServer.program(p); x.env.NOCACHE='1'; return x } }
