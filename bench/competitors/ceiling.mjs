import { fileURLToPath } from 'node:url'

/** @type {import('../types.d.ts').Competitor} */
export const ceiling = {
  name: 'ceiling',
  about:
    'Fastify and pipelined pg, one prepared statement a request (two to sign in) and nothing else. Argon2id and WASM secp256k1 as ours.',
  wire: 'ceiling',
  packages: ['fastify', 'pg', '@node-rs/argon2', '@bitauth/libauth', '@noble/hashes'],
  mount: '',
  applicationId: '',
  readyPath: '/ready',
  program: ({ port, databaseUrl }) => ({
    file: fileURLToPath(new URL('../servers/ceiling.mjs', import.meta.url)),
    env: { PORT: String(port), DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
  }),
}
