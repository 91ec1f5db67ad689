import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { guarded } from './report/checkGuard.mjs'

export const help = `npm run bench -- [options]

  --quick              short rounds: all workloads in under five minutes
  --only <names>       these workloads alone, by comma (health, sessionCheck, passwordLogin,
                       signUp, walletSignIn, objectCreate, objectUpdate, objectDelete, objectRead,
                       objectQuery, objectPage, objectInclude, objectCount, batch, liveFanOut); with a program
                       of their own, each
                       alone: indexing, portfolio, start, import, lists, sizes, paint, growth
  --competitors <names>  these competitors alone, by comma
  --before <folder>    beside them, in turns, the built server of another checkout: did a change cost anything?
  --guard              with --before: exit with 1 if one of the five most frequent workloads costs over 5 % more than
                       before, with 2 if the machine was too busy to judge
  --rounds <n>         rounds of each workload against each competitor
  --seconds <n>        length of a round of a workload without passwords (with them: half as long again)
  --connections <n>    keep-alive connections, one request at a time on each (16)
  --accounts <n>       accounts made in each competitor beforehand
  --check              exit with 1 unless the session check costs 12 times less CPU than better-auth's
                       and 20 times less than parse-server's; with 2 if the machine was too busy to judge
  --profile [names]    also record where competitors spend their time (countersign,countersign-uncached);
                       written to bench/profiles/ and summed up on the screen
  --out <file>         where the figures go (bench/results.<architecture>.json)
  --help
`

const number = (
  /** @type {string | undefined} */ text,
  /** @type {number} */ otherwise,
  /** @type {string} */ name,
) => {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not "${text}"`)
  return value
}

const names = (/** @type {string | undefined} */ text) => text?.split(',').map((name) => name.trim())

/** @param {string[]} argv */
export function readOptions(argv) {
  // The names after --profile may be left out, which parseArgs does not know.
  const args = argv.map((arg, index) =>
    arg === '--profile' && (argv[index + 1] ?? '--').startsWith('--')
      ? '--profile=countersign,countersign-uncached'
      : arg,
  )
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      competitors: { type: 'string' },
      before: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      accounts: { type: 'string' },
      check: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      profile: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.guard && !values.before) throw new Error('--guard needs --before <folder>: the build to compare with.')
  const preset = values.quick
    ? {
        rounds: 3,
        passwordRounds: 2,
        seconds: 2,
        maxSeconds: 8,
        accounts: 24,
        warmUp: { seconds: 1, requests: 1500, maxSeconds: 5 },
      }
    : {
        rounds: 6,
        passwordRounds: 6,
        seconds: 5,
        maxSeconds: 20,
        accounts: 200,
        warmUp: { seconds: 2, requests: 5000, maxSeconds: 12 },
      }
  return {
    help: values.help,
    quick: values.quick,
    check: values.check,
    before: values.before,
    guard: values.guard,
    only: names(values.only) ?? (values.guard ? guarded : undefined),
    competitors: names(values.competitors) ?? (values.guard ? ['countersign'] : undefined),
    profile: names(values.profile) ?? [],
    out: values.out ?? fileURLToPath(new URL(`./results.${process.arch}.json`, import.meta.url)),
    rounds: number(values.rounds, preset.rounds, 'rounds'),
    /** Of workloads with passwords, which take the most time and vary the least. */
    passwordRounds: number(values.rounds, preset.passwordRounds, 'rounds'),
    seconds: number(values.seconds, preset.seconds, 'seconds'),
    connections: number(values.connections, 16, 'connections'),
    accounts: number(values.accounts, preset.accounts, 'accounts'),
    /** Maximum duration of a round with too few responses. */
    maxSeconds: preset.maxSeconds,
    warmUp: preset.warmUp,
  }
}
