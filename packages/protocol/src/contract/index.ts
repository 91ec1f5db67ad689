import { accounts } from './accounts.ts'
import { chain, solana } from './chain.ts'
import { jobs } from './jobs.ts'
import { files, objects } from './objects.ts'
import { operations } from './operations.ts'
import { passkeys } from './passkeys.ts'
import { recovery } from './recovery.ts'
import { schemas } from './schemas.ts'
import { sessions } from './sessions.ts'
import { signInMethods } from './signInMethods.ts'
import { remoteCode, webhooks } from './webhooks.ts'

/** Every endpoint by its name. For servers and tools: it loads Zod, which a browser has no use for. */
export const contract = {
  ...accounts,
  ...sessions,
  ...signInMethods,
  ...passkeys,
  ...recovery,
  ...objects,
  ...files,
  ...schemas,
  ...operations,
  ...jobs,
  ...webhooks,
  ...remoteCode,
  ...chain,
  ...solana,
}

export type Contract = typeof contract
export * as chainFields from './chainFields.ts'
export type { EndpointContract } from './EndpointContract.ts'
export type { Assertion, Attestation } from './passkeys.ts'
