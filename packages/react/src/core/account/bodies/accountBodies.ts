import * as accessTokens from './accessTokens.ts'
import * as account from './account.ts'
import * as accountSecurity from './accountSecurity.ts'
import * as activity from './activity.ts'
import * as connectedApps from './connectedApps.ts'
import * as email from './email.ts'
import * as identities from './identities.ts'
import * as linkedWallets from './linkedWallets.ts'
import * as mergeAccounts from './mergeAccounts.ts'
import * as passkeys from './passkeys.ts'
import * as passwords from './passwords.ts'
import * as reauthenticate from './reauthenticate.ts'
import * as recoverAccount from './recoverAccount.ts'
import * as roles from './roles.ts'
import * as secondFactor from './secondFactor.ts'
import * as sessions from './sessions.ts'
import * as signInMethods from './signInMethods.ts'

/** The bodies of all actions on an account, in one piece, so that one request of the browser brings all of them. */
export const accountBodies = {
  ...accessTokens,
  ...account,
  ...accountSecurity,
  ...activity,
  ...connectedApps,
  ...email,
  ...identities,
  ...linkedWallets,
  ...mergeAccounts,
  ...passkeys,
  ...passwords,
  ...reauthenticate,
  ...recoverAccount,
  ...roles,
  ...secondFactor,
  ...sessions,
  ...signInMethods,
}
