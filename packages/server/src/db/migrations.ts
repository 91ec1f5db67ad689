import type { Migration } from './migrate.ts'
import { classes } from './migrations/0001-classes.ts'
import { usersAndSessions } from './migrations/0002-users-and-sessions.ts'
import { waysBackIn } from './migrations/0003-ways-back-in.ts'
import { wallets } from './migrations/0004-wallets.ts'
import { merges } from './migrations/0005-merges.ts'
import { passkeys } from './migrations/0006-passkeys.ts'
import { documents } from './migrations/0007-documents.ts'
import { functions } from './migrations/0008-functions.ts'
import { files } from './migrations/0009-files.ts'
import { anonymousUsers } from './migrations/0010-anonymous-users.ts'
import { live } from './migrations/0011-live.ts'
import { chain } from './migrations/0012-chain.ts'
import { gates } from './migrations/0013-gates.ts'
import { chainMoves } from './migrations/0014-chain-moves.ts'
import { recovery } from './migrations/0015-recovery.ts'
import { retiredRoles } from './migrations/0030-retired-roles.ts'
import { changeOfAddress } from './migrations/0031-change-of-address.ts'
import { walletCode } from './migrations/0050-wallet-code.ts'
import { provisionalWallets } from './migrations/0060-provisional-wallets.ts'
import { accountDeletion } from './migrations/0070-account-deletion.ts'
import { reauthenticate } from './migrations/0090-reauthenticate.ts'
import { imports } from './migrations/0100-imports.ts'
import { audit } from './migrations/0110-audit.ts'
import { identities } from './migrations/0130-identities.ts'
import { emailCodes } from './migrations/0150-email-codes.ts'
import { unlinkedIdentities } from './migrations/0160-unlinked-identities.ts'
import { secondFactors } from './migrations/0170-second-factors.ts'
import { invitations } from './migrations/0190-invitations.ts'
import { chainEvents } from './migrations/0210-chain-events.ts'
import { requestIds } from './migrations/0230-request-ids.ts'
import { chainStates } from './migrations/0240-chain-states.ts'
import { operatorConsole } from './migrations/0250-console.ts'
import { mergeSessions } from './migrations/0270-merge-sessions.ts'
import { impersonation } from './migrations/0275-impersonation.ts'
import { filesByTime } from './migrations/0285-files-by-time.ts'
import { sentTransactions } from './migrations/0290-sent-transactions.ts'
import { mailLog } from './migrations/0295-mail-log.ts'
import { removedPasskeys } from './migrations/0298-removed-passkeys.ts'
import { boundedValues } from './migrations/0300-bounded-values.ts'
import { unpackedChanges } from './migrations/0310-unpacked-changes.ts'
import { holders } from './migrations/0320-holders.ts'
import { knownBrowsers } from './migrations/0321-known-browsers.ts'
import { importPolicy } from './migrations/0340-import-policy.ts'
import { devices } from './migrations/0341-devices.ts'
import { walletReaders } from './migrations/0350-wallet-readers.ts'
import { leftOut } from './migrations/0351-left-out.ts'
import { claimSigners } from './migrations/0352-claim-signers.ts'
import { walletCoverage } from './migrations/0353-wallet-coverage.ts'
import { mergedWallets } from './migrations/0354-merged-wallets.ts'
import { lapsedWallets } from './migrations/0355-lapsed-wallets.ts'
import { addedMethods } from './migrations/0360-added-methods.ts'
import { missingLists } from './migrations/0378-missing-lists.ts'
import { triggerClasses } from './migrations/0380-trigger-classes.ts'
import { classParts } from './migrations/0381-class-parts.ts'
import { liveHistories } from './migrations/0390-live-histories.ts'
import { limits } from './migrations/0400-limits.ts'
import { distributedClasses } from './migrations/0410-distributed-classes.ts'
import { replicaMarks } from './migrations/0420-replica-marks.ts'
import { firstLink } from './migrations/0430-first-link.ts'
import { settings } from './migrations/0440-settings.ts'
import { presentLists } from './migrations/0480-present-lists.ts'
import { failedSignIns } from './migrations/0490-failed-sign-ins.ts'
import { dataViews } from './migrations/0500-data-views.ts'
import { operatorDeletions } from './migrations/0510-operator-deletions.ts'
import { auditSubjects } from './migrations/0520-audit-subjects.ts'
import { accessTokens } from './migrations/0530-access-tokens.ts'
import { savedQueries } from './migrations/0540-saved-queries.ts'
import { oidc } from './migrations/0600-oidc.ts'
import { signOuts } from './migrations/0620-sign-outs.ts'
import { endedGrants } from './migrations/0640-ended-grants.ts'
import { liveRuns } from './migrations/0650-live-runs.ts'
import { presentWebhooks } from './migrations/0660-present-webhooks.ts'

/**
 * The tables that the server starts with, in order. A migration that has landed is never edited.
 * Classes of the application are in `public`, one table each; the server's own tables are in `countersign`.
 */
export const migrations: Migration[] = [
  classes,
  usersAndSessions,
  waysBackIn,
  wallets,
  merges,
  passkeys,
  documents,
  functions,
  files,
  anonymousUsers,
  live,
  chain,
  gates,
  chainMoves,
  recovery,
  retiredRoles,
  changeOfAddress,
  walletCode,
  provisionalWallets,
  accountDeletion,
  reauthenticate,
  imports,
  audit,
  identities,
  emailCodes,
  unlinkedIdentities,
  secondFactors,
  invitations,
  chainEvents,
  requestIds,
  chainStates,
  operatorConsole,
  mergeSessions,
  impersonation,
  filesByTime,
  sentTransactions,
  mailLog,
  removedPasskeys,
  boundedValues,
  unpackedChanges,
  importPolicy,
  walletReaders,
  leftOut,
  devices,
  claimSigners,
  holders,
  knownBrowsers,
  walletCoverage,
  mergedWallets,
  lapsedWallets,
  addedMethods,
  missingLists,
  triggerClasses,
  classParts,
  liveHistories,
  settings,
  limits,
  distributedClasses,
  firstLink,
  replicaMarks,
  presentLists,
  failedSignIns,
  dataViews,
  operatorDeletions,
  auditSubjects,
  accessTokens,
  savedQueries,
  oidc,
  signOuts,
  endedGrants,
  liveRuns,
  presentWebhooks,
]
