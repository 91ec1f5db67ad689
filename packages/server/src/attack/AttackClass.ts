import { compatFunctions, contractGroups, type EndpointContract } from '@countersign/protocol/contract'

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
  accessTokens: 'step-up',
  sessions: 'sessions',
  signInMethods: 'step-up',
  passkeys: 'step-up',
  providers: 'providers',
  recovery: 'step-up',
  emailCode: 'sign-in',
  secondFactor: 'second-factor',
  oidc: 'providers',
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

export type WalkedEndpoint = { name: string; class: AttackClass; endpoint: EndpointContract }

/** Every endpoint of the contract with its class. */
export function listEndpoints(): WalkedEndpoint[] {
  const groups = Object.entries(contractGroups) as [keyof typeof contractGroups, Record<string, EndpointContract>][]
  return [
    ...groups.flatMap(([group, endpoints]) =>
      Object.entries(endpoints).map(([name, endpoint]) => ({
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
}
