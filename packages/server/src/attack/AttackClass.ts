import { compatFunctions, contractGroups, type EndpointContract } from '@countersign/protocol/contract'
import { endpoints } from '../http/generated/endpoints.ts'

/** Classes of attacks, as `--only` names them. */
export const attackClasses = {
  'sign-in': 'Sign-in by wallet, password and mail',
  sessions: 'Sessions, cookies, cross-site requests',
  'step-up': 'Changes that need a recent proof',
  'access-lists': 'Access lists, class permissions, hidden fields',
  queries: 'Query language and injection',
  batches: 'Batches',
  files: 'Files',
  live: 'Live queries',
  providers: 'Sign-in providers',
  delegation: 'Access tokens, keys, connected applications and agents',
  'second-factor': 'Second factor',
  console: 'Console and master key',
  chain: 'Chain reads',
  limits: 'Rate limits and lockout',
  bodies: 'Request bodies and raw requests',
  'event-loop': 'Requests that stop the event loop',
} as const

export type AttackClass = keyof typeof attackClasses

/** Class of each group of the contract. A new group does not compile without one. */
const groupClasses: { [Group in keyof typeof contractGroups]: AttackClass } = {
  accounts: 'sign-in',
  accessTokens: 'delegation',
  sessions: 'sessions',
  signInMethods: 'step-up',
  passkeys: 'step-up',
  providers: 'providers',
  recovery: 'step-up',
  emailCode: 'sign-in',
  secondFactor: 'second-factor',
  oidc: 'delegation',
  objects: 'access-lists',
  installations: 'access-lists',
  files: 'files',
  schemas: 'console',
  operations: 'console',
  operatorConsole: 'console',
  consoleUsers: 'console',
  consoleOperations: 'console',
  consoleSignIns: 'console',
  consoleViews: 'console',
  consoleSql: 'console',
  jobs: 'console',
  webhooks: 'console',
  syncs: 'console',
  remoteCode: 'console',
  chain: 'chain',
  solana: 'chain',
}

/** Endpoints whose class is not that of their group. */
const ownClasses: { [name: string]: AttackClass } = { batch: 'batches', findObjects: 'queries', aggregate: 'queries' }

/** Class of the further forms of endpoints that older clients use, by the first parts of their paths. */
const olderClasses: { [path: string]: AttackClass } = {
  '/classes/_User': 'sign-in',
  '/classes/_Session': 'sessions',
  '/classes/_Installation': 'access-lists',
  '/classes/_EthAddress': 'access-lists',
  '/classes/_SolAddress': 'access-lists',
  '/installations': 'access-lists',
  '/roles': 'access-lists',
  '/verifyPassword': 'sign-in',
  '/apps': 'sign-in',
  '/events': 'bodies',
  '/files': 'files',
}

export type WalkedEndpoint = {
  name: string
  class: AttackClass
  endpoint: Pick<EndpointContract, 'method' | 'path' | 'access' | 'operators' | 'session' | 'input' | 'scope'>
}

/** Every endpoint with its class. One without a class fails a test. */
export function listEndpoints(): WalkedEndpoint[] {
  const groups = Object.entries(contractGroups) as [keyof typeof contractGroups, Record<string, EndpointContract>][]
  const known: WalkedEndpoint[] = [
    ...groups.flatMap(([group, each]) =>
      Object.entries(each).map(([name, endpoint]) => ({
        name,
        class: ownClasses[name] ?? groupClasses[group],
        endpoint,
      })),
    ),
    ...Object.entries<EndpointContract>(compatFunctions).map(([name, endpoint]) => ({
      name: `functions/${name}`,
      class: 'chain' as const,
      endpoint,
    })),
  ]
  const addressOf = ({ method, path }: WalkedEndpoint['endpoint']) => `${method} ${path}`
  const addresses = new Set(known.map(({ endpoint }) => addressOf(endpoint)))
  const older = endpoints.filter((endpoint) => !addresses.has(addressOf(endpoint)))
  const classOf = ({ path }: WalkedEndpoint['endpoint']) =>
    olderClasses[Object.keys(olderClasses).find((first) => `${path}/`.startsWith(`${first}/`)) ?? ''] as AttackClass
  return [...known, ...older.map((endpoint) => ({ name: endpoint.name, class: classOf(endpoint), endpoint }))]
}
