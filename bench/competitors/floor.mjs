import { fileURLToPath } from 'node:url'

/** @type {import('../types.d.ts').Competitor} */
export const floor = {
  name: 'floor',
  about: 'Bare `node:http` with one constant response.',
  wire: 'floor',
  packages: [],
  mount: '',
  applicationId: '',
  readyPath: '/health',
  program: ({ port }) => ({
    file: fileURLToPath(new URL('../servers/floor.mjs', import.meta.url)),
    env: { PORT: String(port), NODE_ENV: 'production' },
  }),
}
