import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const serverEntry = fileURLToPath(new URL('../../packages/server/bin/countersign.js', import.meta.url))

/** Functions of the application, the same for every server of this dialect. */
export const cloudFile = fileURLToPath(new URL('../servers/cloud.cjs', import.meta.url))

const applicationId = 'bench'

/** @type {(name: string, about: string, extra: Record<string, string>, entry?: string) => import('../types.d.ts').Competitor} */
const variant = (name, about, extra, entry = serverEntry) => ({
  name,
  about,
  wire: 'parse',
  packages: ['../packages/server'],
  mount: '/server',
  applicationId,
  readyPath: '/ready',
  program: ({ port, databaseUrl, dataFolder, chain }) => ({
    file: entry,
    args: ['start'],
    env: {
      ...(chain && { COUNTERSIGN_CONFIG: writeConfig(dataFolder, chain) }),
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_APP_ID: applicationId,
      COUNTERSIGN_MASTER_KEY: 'bench-master-key-never-used-elsewhere',
      COUNTERSIGN_DATA: dataFolder,
      COUNTERSIGN_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      COUNTERSIGN_WORKERS: '1',
      COUNTERSIGN_CLOUD: cloudFile,
      ...extra,
    },
  }),
})

export const countersign = variant('countersign', 'As shipped: session cache on. Argon2id m=19 MiB t=2 p=1.', {})

/** @param {string} folder another checkout of this repository, built: what a change is compared with */
export const countersignBefore = (folder) =>
  variant('countersign-before', `As shipped in ${folder}.`, {}, join(folder, 'packages/server/bin/countersign.js'))

export const countersignUncached = variant(
  'countersign-uncached',
  'The same with the session cache off: every check asks the database.',
  { COUNTERSIGN_SESSION_CACHE: 'off' },
)

/**
 * As shipped but for the limit of reads, which one address would soon have used up.
 *
 * @param {string} folder
 * @param {{ url: string, chainId: number }} chain
 */
function writeConfig(folder, { url, chainId }) {
  const file = join(folder, 'countersign.config.json')
  const chains = [{ id: chainId, rpcUrls: [url], index: { mode: 'all' } }]
  writeFileSync(file, JSON.stringify({ chains, chainApi: { requestsPerMinute: 0 } }))
  return file
}
