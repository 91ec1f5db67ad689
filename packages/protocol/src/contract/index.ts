import { accessTokens } from './accessTokens.ts'
import { accounts } from './accounts.ts'
import { chain } from './chain.ts'
import { operatorConsole } from './console.ts'
import { consoleOperations } from './consoleOperations.ts'
import { consoleSignIns } from './consoleSignIns.ts'
import { consoleSql } from './consoleSql.ts'
import { consoleUsers } from './consoleUsers.ts'
import { consoleViews } from './consoleViews.ts'
import { emailCode } from './emailCode.ts'
import { jobs } from './jobs.ts'
import { files, installations, objects } from './objects.ts'
import { oidc } from './oidc.ts'
import { operations } from './operations.ts'
import { passkeys } from './passkeys.ts'
import { providers } from './providers.ts'
import { recovery } from './recovery.ts'
import { schemas } from './schemas.ts'
import { secondFactor } from './secondFactor.ts'
import { sessions } from './sessions.ts'
import { signInMethods } from './signInMethods.ts'
import { solana } from './solana.ts'
import { syncs } from './syncs.ts'
import { remoteCode, webhooks } from './webhooks.ts'

/** Endpoints by subject. */
export const contractGroups = {
  accounts,
  accessTokens,
  sessions,
  signInMethods,
  passkeys,
  providers,
  recovery,
  emailCode,
  secondFactor,
  oidc,
  objects,
  installations,
  files,
  schemas,
  operations,
  operatorConsole,
  consoleUsers,
  consoleOperations,
  consoleSignIns,
  consoleViews,
  consoleSql,
  jobs,
  webhooks,
  syncs,
  remoteCode,
  chain,
  solana,
}

/** Every endpoint by its name. For servers and tools: it loads Zod, which a browser has no use for. */
export const contract = {
  ...accounts,
  ...accessTokens,
  ...sessions,
  ...signInMethods,
  ...passkeys,
  ...providers,
  ...recovery,
  ...emailCode,
  ...secondFactor,
  ...oidc,
  ...objects,
  ...installations,
  ...files,
  ...schemas,
  ...operations,
  ...operatorConsole,
  ...consoleUsers,
  ...consoleOperations,
  ...consoleSignIns,
  ...consoleViews,
  ...consoleSql,
  ...jobs,
  ...webhooks,
  ...syncs,
  ...remoteCode,
  ...chain,
  ...solana,
}

export type Contract = typeof contract
export * as chainFields from './chainFields.ts'
export { chainReadFunctions, describeMissing } from './compatChainReads.ts'
export {
  type CompatFunctions,
  compatFunctions,
  solanaFunctions,
  unavailableFunctions,
} from './compatFunctions.ts'
export { consoleAreas } from './console.ts'
export type { EndpointContract } from './EndpointContract.ts'
export { makeComparable } from './makeComparable.ts'
export type { Assertion, Attestation } from './passkeys.ts'
export { descriptions, namedSchemas, typeNames } from './typeNames.ts'
