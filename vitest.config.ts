import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isOf, plant } from './scripts/steps/planted/replaceText.mjs'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Tests read the packages' sources, so that they need no build and a failure points into the source.
const alias = [
  { find: /^@countersign\/protocol$/, replacement: at('packages/protocol/src/index.ts') },
  { find: /^@countersign\/protocol\/contract$/, replacement: at('packages/protocol/src/contract/index.ts') },
  { find: /^@countersign\/react$/, replacement: at('packages/react/src/index.ts') },
  { find: /^@countersign\/react\/(\w+)$/, replacement: at('packages/react/src/$1.ts') },
]

// With the embedded database, V8's second and better compilation takes more of the processor than it saves; and with as
// many workers as processors, threads that collect garbage for one are taken from the others.
/** A fault in the sources, for tests that must find it. */
const fault = process.env.PLANTED_FAULT && JSON.parse(process.env.PLANTED_FAULT)
const plantFault = {
  name: 'planted fault',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => (isOf(fault, id) ? plant(fault, code) : undefined),
}

const flags = ['--liftoff-only', '--single-threaded-gc']
const hashes = ['--import', at('packages/server/src/testing/cheapHashes.mjs')]

const server = 'packages/server/src/**/*.test.ts'

/**
 * Longest tests: they start, kill and upgrade processes, or send every endpoint the largest bodies. They start early,
 * so that none runs alone at the end.
 */
const long = [
  'backup/commands.test.ts',
  'chain/index/backFill.postgres.test.ts',
  'chain/index/killed.postgres.test.ts',
  'cli/guardProcess.embedded.test.ts',
  'cli/loaded.embedded.test.ts',
  'cli/partition.postgres.test.ts',
  'cli/rollingUpgrade.postgres.test.ts',
  'cli/start.embedded.test.ts',
  'db/embedded/openEmbedded.embedded.test.ts',
  'db/embedded/preparedDatabase.embedded.test.ts',
  'http/request/eventLoop.test.ts',
  'objects/plansAtScale.postgres.test.ts',
  'testing/fuzz/plantedFaults.test.ts',
  'transfer/killed.test.ts',
  'scripts/databaseAddresses.test.mjs',
  'scripts/demo.test.mjs',
  'scripts/faults.test.mjs',
  'scripts/liveChaos.test.mjs',
  'scripts/plantedFaults.test.mjs',
  'scripts/plantedScopes.test.mjs',
  'scripts/promotions.test.mjs',
  'scripts/workers.test.mjs',
]

/** These take long, too, and most changes do not concern them. */
const slow = [
  'attack/*.test.ts',
  'audit/audit.test.ts',
  'auth/whatSurvives.test.ts',
  'backup/*.test.ts',
  'chain/{events,index,tokenGates}/*.postgres.test.ts',
  'chain/sent/sent.test.ts',
  'cli/{admin,schema}.embedded.test.ts',
  'cli/canaries.postgres.test.ts',
  'db/embedded/lockFolder.embedded.test.ts',
  'db/postgres/openPostgres.postgres.test.ts',
  'doctor/*.test.ts',
  'files/largeUpload.embedded.test.ts',
  'functions/loading.test.ts',
  'http/chain/**/*.postgres.test.ts',
  'http/chain/lyingNodes.embedded.test.ts',
  'http/console/backups.test.ts',
  'http/request/bodies.test.ts',
  'http/socketAttacks.embedded.test.ts',
  'http/walks/*.test.ts',
  'live/gap.test.ts',
  'objects/{heavyRequests,slowQueries.postgres}.test.ts',
  'severalServers.postgres.test.ts',
  'scripts/docsChecks/{examples,samples,shellSamples}.test.mjs',
  'scripts/contract/recipe.test.mjs',
  'scripts/{lint,postgres}.test.mjs',
]

/** `npm test` sets `quick`, `npm run test:ci` sets `ci`; everything else runs everything. */
const extent = process.env.COUNTERSIGN_TESTS
const isPart = extent === 'quick' || extent === 'ci'
const leftOut = [...(isPart ? ['*.fuzz.*', ...long] : []), ...(extent === 'quick' ? slow : [])].map(
  (path) => `**/${path}`,
)

/** Tests that need one table a class: of index names in plans, of unique indexes, of the change to parts. */
const needOneTable = [
  'objects/plans*.postgres.test.ts',
  'http/applySchema.test.ts',
  'partitions/moveClass.postgres.test.ts',
]

/** Tests of partitions, which a distributed class does not have, and of the planner's costs of local tables. */
const needLocal = [
  'objects/{countEstimate,slowQueries}.postgres.test.ts',
  'partitions/{byHand,partitions}.postgres.test.ts',
]

const leftOutOfParts = [
  ...(process.env.TEST_PARTITIONS === 'on' || process.env.TEST_CITUS === 'on' ? needOneTable : []),
  ...(process.env.TEST_CITUS === 'on' ? needLocal : []),
].map((path) => `**/${path}`)

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const place = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project.name) + (long.some((path) => moduleId.endsWith(path)) ? 0 : 1)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  resolve: { alias },
  plugins: fault ? [plantFault] : [],
  test: {
    pool: 'forks',
    // One more than the processors of a small machine: tests wait for timers, sockets and processes, too. Alone if tests
    // kill the nodes of the cluster that others use.
    maxWorkers: process.env.TEST_CITUS_NODES ? 1 : 3,
    execArgv: flags,
    sequence: { sequencer: LongFirst },
    // Parts multiply the statements, and shards the processes: of all tests, not only of those that are known to be slow.
    testTimeout: leftOutOfParts.length > 0 ? 600_000 : 120_000,
    hookTimeout: leftOutOfParts.length > 0 ? 600_000 : 180_000,
    // A condition may take long on a busy machine; a second, which is the default, is a moment.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: 'protocol', include: ['packages/protocol/src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'react',
          include: ['packages/react/src/**/*.test.{ts,tsx}', 'examples/twelve-tasks/*.test.tsx'],
          environment: 'happy-dom',
          globalSetup: ['scripts/seedData.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'moralis',
          include: ['packages/moralis/src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          globalSetup: ['scripts/seedData.mjs'],
        },
      },
      {
        extends: true,
        resolve: { alias: [{ find: /^(react|react-dom)(?=$|\/)/, replacement: '$1-18' }] },
        test: {
          name: 'react-18',
          include: [
            'packages/react/src/hooks/session/hooks.server.test.tsx',
            'packages/react/src/hooks/client/{readings,readOptions}.test.tsx',
            'packages/react/src/hooks/documents/{pages,optimistic,suspense}.test.tsx',
            'packages/react/src/hooks/client/rendering.server.test.tsx',
          ],
          environment: 'happy-dom',
          globalSetup: ['scripts/seedData.mjs'],
          execArgv: [...flags, '--import', at('packages/react/src/testing/react18.mjs')],
          env: { REACT_VERSION: '18' },
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['apps/web/**/*.test.{ts,tsx}'], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          name: 'server-embedded',
          // Loading the server again for each file would take longer than the tests; each file has a server of its own.
          isolate: false,
          // Otherwise PostgreSQL stands for both where they do not differ.
          include: [isPart ? 'packages/server/src/**/*.embedded.test.ts' : server],
          exclude: ['**/*.postgres.test.ts', ...leftOut],
          env: { TEST_DATABASE: 'embedded' },
          execArgv: [...flags, ...hashes],
          globalSetup: ['scripts/seedData.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server-postgres',
          isolate: false,
          include: [server],
          exclude: ['**/*.embedded.test.ts', ...leftOut, ...leftOutOfParts],
          env: { TEST_DATABASE: 'postgres' },
          execArgv: [...flags, ...hashes],
          globalSetup: ['scripts/vitestPostgres.mjs'],
        },
      },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], exclude: leftOut } },
    ],
  },
})
