/** Kinds of tokens that act within a scope. `personal` and `oauth` act for a person. */
export type TokenKind = 'personal' | 'oauth' | 'service' | 'operator'

type Part = { holders: readonly TokenKind[]; meaning: string }

const people = ['personal', 'oauth'] as const

/**
 * Scopes besides classes and functions, each with the kinds of tokens that may have it. The parts of operators never
 * open accounts: none of them sets passwords, creates sessions or gives rights.
 */
export const scopeParts = {
  'account:read': { holders: people, meaning: 'Read the account: profile, sign-in methods and activity' },
  'chain:read': { holders: [...people, 'service', 'operator'], meaning: 'Read chain data' },
  'chain:write': { holders: people, meaning: 'Follow sent transactions' },
  'config:read': { holders: [...people, 'service', 'operator'], meaning: 'Read settings of the application' },
  'config:write': { holders: ['operator'], meaning: 'Change settings of the application' },
  'files:read': { holders: ['operator'], meaning: 'List files' },
  'files:write': { holders: [...people, 'service', 'operator'], meaning: 'Upload files' },
  'users:read': { holders: ['operator'], meaning: 'Read users and their sign-ins' },
  'users:write': { holders: ['operator'], meaning: 'Disable users and end their sessions' },
  'roles:read': { holders: ['operator'], meaning: 'Read roles and their members' },
  'schema:read': { holders: ['operator'], meaning: 'Read classes and their permissions' },
  'schema:write': { holders: ['operator'], meaning: 'Change and delete classes, their data and permissions' },
  'jobs:read': { holders: ['operator'], meaning: 'Read jobs and schedules' },
  'jobs:write': { holders: ['operator'], meaning: 'Start and schedule jobs' },
  'syncs:read': { holders: ['operator'], meaning: 'Read syncs and computed state' },
  'audit:read': { holders: ['operator'], meaning: 'Read the audit log' },
  'monitoring:read': { holders: ['operator'], meaning: 'Read logs, slow queries and the state of the server' },
  metrics: { holders: ['operator'], meaning: 'Read metrics' },
  backup: { holders: ['operator'], meaning: 'Create and list backups' },
} as const satisfies Record<string, Part>

export type ScopePart = keyof typeof scopeParts

/** Rights of a class. `write` in a scope stands for the last three. */
export type ClassRight = 'read' | 'create' | 'update' | 'delete'

/** Longest list of scopes, and the longest name and text of one. */
export const scopeLimits = { scopes: 100, scope: 200, name: 80, addresses: 20 } as const

/** Matches each token: for secret scanners. The last six characters are a checksum. */
export const tokenPattern = /^cs_(pat|oat|svc|key)_[0-9A-Za-z]{36}$/

/** Kinds of tokens by the prefix of their text. */
export const tokenPrefixes = {
  personal: 'cs_pat_',
  oauth: 'cs_oat_',
  service: 'cs_svc_',
  operator: 'cs_key_',
} as const satisfies Record<TokenKind, string>
