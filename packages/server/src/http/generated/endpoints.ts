// Generated from the endpoints of packages/server/src: npm run contract
import { listAuditEndpoint } from '../../audit/listAudit.ts'
import { deleteUserEndpoint } from '../../auth/accounts/deleteUser.ts'
import { getCurrentUserEndpoint } from '../../auth/accounts/getCurrentUser.ts'
import { logInByGetEndpoint, logInEndpoint } from '../../auth/accounts/logIn.ts'
import { signUpEndpoint } from '../../auth/accounts/signUp.ts'
import { updateUserEndpoint } from '../../auth/accounts/updateUser.ts'
import { createChallengeEndpoint } from '../../auth/createChallenge.ts'
import { requestEmailCodeEndpoint } from '../../auth/emailCode/emailCodes.ts'
import { signInWithEmailCodeEndpoint, signInWithEmailLinkEndpoint } from '../../auth/emailCode/signInWithEmailCode.ts'
import { mergeEndpoint, previewMergeEndpoint } from '../../auth/merge/mergeAccounts.ts'
import { undoMergeByLinkEndpoint, undoMergeEndpoint } from '../../auth/merge/undoAccountMerge.ts'
import {
  createPasskeyChallengeEndpoint,
  createPasskeyRegistrationEndpoint,
} from '../../auth/passkeys/passkeyChallenges.ts'
import { listPasskeysEndpoint } from '../../auth/passkeys/passkeys.ts'
import { registerPasskeyEndpoint } from '../../auth/passkeys/registerPasskey.ts'
import { removePasskeyEndpoint, restorePasskeyEndpoint } from '../../auth/passkeys/removePasskey.ts'
import { signInWithPasskeyEndpoint } from '../../auth/passkeys/signInWithPasskey.ts'
import { updatePasskeyEndpoint } from '../../auth/passkeys/updatePasskey.ts'
import { challengeEndpoint } from '../../auth/providers/challengeProviders.ts'
import { createFarcasterChallengeEndpoint } from '../../auth/providers/farcaster.ts'
import {
  createProviderChallengeEndpoint,
  linkFarcasterEndpoint,
  linkProviderEndpoint,
  listProvidersEndpoint,
  signInWithFarcasterEndpoint,
  signInWithProviderEndpoint,
} from '../../auth/providers/providerSignIn.ts'
import { restoreIdentityEndpoint, unlinkIdentityEndpoint } from '../../auth/providers/unlinkIdentity.ts'
import { reauthenticateEndpoint } from '../../auth/reauthenticate.ts'
import { getAccountSecurityEndpoint, updateAccountSecurityEndpoint } from '../../auth/recovery/accountSecurity.ts'
import { recoverAccountEndpoint } from '../../auth/recovery/recoverAccount.ts'
import { createRecoveryCodesEndpoint, signInWithRecoveryCodeEndpoint } from '../../auth/recovery/recoveryCodes.ts'
import { resetPasswordEndpoint } from '../../auth/recovery/resetPassword.ts'
import { undoEmailChangeEndpoint } from '../../auth/recovery/undoEmailChange.ts'
import {
  confirmTotpEndpoint,
  forgetDevicesEndpoint,
  getSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  signInWithSecondFactorEndpoint,
  startTotpEndpoint,
  updateSecondFactorEndpoint,
} from '../../auth/secondFactor/secondFactor.ts'
import {
  createSessionEndpoint,
  getCurrentSessionEndpoint,
  updateSessionEndpoint,
  upgradeToRevocableSessionEndpoint,
} from '../../auth/sessions.ts'
import { getSignInOptionsEndpoint, listSignInMethodsEndpoint } from '../../auth/signInMethods.ts'
import { linkWalletEndpoint } from '../../auth/wallets/linkWallet.ts'
import { signInWithWalletEndpoint } from '../../auth/wallets/signInWithWallet.ts'
import { restoreWalletEndpoint, unlinkWalletEndpoint } from '../../auth/wallets/unlinkWallet.ts'
import { listWalletsEndpoint, updateWalletEndpoint } from '../../auth/wallets/wallets.ts'
import { listStatesEndpoint, replayStateEndpoint } from '../../chain/events/computeStates.ts'
import {
  createSyncEndpoint,
  deleteSyncEndpoint,
  listSyncsEndpoint,
  replaySyncEndpoint,
} from '../../chain/events/syncs.ts'
import {
  checkTokenGateEndpoint,
  createTokenGateEndpoint,
  deleteTokenGateEndpoint,
  getTokenGateEndpoint,
  listTokenGatesEndpoint,
} from '../../chain/tokenGates/tokenGates.ts'
import {
  createAccessKeyEndpoint,
  listAccessKeysEndpoint,
  revokeAccessKeyEndpoint,
  rotateAccessKeyEndpoint,
} from '../../console/accessKeys.ts'
import { createBackupEndpoint, listBackupsEndpoint } from '../../console/backups.ts'
import {
  createDataViewEndpoint,
  deleteDataViewEndpoint,
  listDataViewsEndpoint,
  updateDataViewEndpoint,
} from '../../console/dataViews.ts'
import {
  resetSettingEndpoint,
  sendTestMailEndpoint,
  setSettingEndpoint,
  undoSettingEndpoint,
} from '../../console/editSettings.ts'
import { listConsoleFilesEndpoint } from '../../console/files.ts'
import { getChainStatusEndpoint } from '../../console/getChainStatus.ts'
import { getConsoleEndpoint } from '../../console/getConsole.ts'
import { getOverviewEndpoint } from '../../console/getOverview.ts'
import { listKeysEndpoint, retireKeysEndpoint, rotateKeysEndpoint } from '../../console/keys.ts'
import { listConsoleFunctionsEndpoint, listConsoleJobsEndpoint } from '../../console/listCode.ts'
import { listFindingsEndpoint } from '../../console/listFindings.ts'
import { listScopesEndpoint } from '../../console/listScopes.ts'
import { getSettingsEndpoint } from '../../console/listSettings.ts'
import { listConsoleUsersEndpoint } from '../../console/listUsers.ts'
import { listMailLogEndpoint } from '../../console/mailLog.ts'
import { previewSchemaEndpoint } from '../../console/previewSchema.ts'
import { getConsoleRoleEndpoint, listConsoleRolesEndpoint, listRoleMembersEndpoint } from '../../console/roles.ts'
import {
  createServiceEndpoint,
  deleteServiceEndpoint,
  listServicesEndpoint,
  updateServiceEndpoint,
} from '../../console/services.ts'
import { liftSignInLimitEndpoint, listSignInLimitsEndpoint } from '../../console/signInLimits.ts'
import { listSignInsEndpoint } from '../../console/signIns.ts'
import { getQueryPlanEndpoint, listSlowQueriesEndpoint } from '../../console/slowQueries.ts'
import { getSqlTablesEndpoint, runSqlEndpoint } from '../../console/sql/runSql.ts'
import {
  createSavedQueryEndpoint,
  deleteSavedQueryEndpoint,
  listSavedQueriesEndpoint,
  updateSavedQueryEndpoint,
} from '../../console/sql/savedQueries.ts'
import { testAccessEndpoint } from '../../console/testAccess.ts'
import { listTokenGateHoldersEndpoint, testTokenGateEndpoint } from '../../console/tokenGates.ts'
import {
  deleteConsoleUserEndpoint,
  disableUserEndpoint,
  enableUserEndpoint,
  endImpersonationEndpoint,
  endUserSessionEndpoint,
  exportConsoleUserEndpoint,
  getConsoleUserEndpoint,
  impersonateUserEndpoint,
  scheduleUserDeletionEndpoint,
  sendUserResetEndpoint,
  signOutUserEndpoint,
  undoUserDeletionEndpoint,
  verifyUserEmailEndpoint,
} from '../../console/users.ts'
import { verifyAuditEndpoint } from '../../console/verifyAudit.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { deleteFileEndpoint } from '../../files/StoredFile.ts'
import { functionEndpoints } from '../../functions/builtIns.ts'
import { runFunctionEndpoint } from '../../functions/runFunction.ts'
import { batchEndpoint } from '../../http/batch.ts'
import { olderFunctionEndpoints } from '../../http/chain/moralisCompat/olderFunctions.ts'
import { addressReadEndpoints } from '../../http/chain/rest/addresses.ts'
import { blockEndpoints } from '../../http/chain/rest/blocks.ts'
import { followTransactionEndpoint, getChainEndpoint, listChainsEndpoint } from '../../http/chain/rest/chains.ts'
import { callContractEndpoint, listEventsEndpoint, listLogsEndpoint } from '../../http/chain/rest/contracts.ts'
import { listEndpoints } from '../../http/chain/rest/lists.ts'
import {
  getCollectionEndpoint,
  getNftEndpoint,
  getNftPictureEndpoint,
  listTokenIdsEndpoint,
} from '../../http/chain/rest/nfts.ts'
import { portfolioEndpoints } from '../../http/chain/rest/portfolio.ts'
import { listPriceChangesEndpoint } from '../../http/chain/rest/priceChanges.ts'
import { solanaEndpoints } from '../../http/chain/rest/solana.ts'
import { tokenEndpoints } from '../../http/chain/rest/tokens.ts'
import { getValueHistoryEndpoint } from '../../http/chain/rest/value.ts'
import { syncEndpoints } from '../../http/chain/watch.ts'
import {
  checkSecurityEndpoint,
  createAudienceEndpoint,
  deleteAudienceEndpoint,
  getAudienceEndpoint,
  getServerInfoEndpoint,
  listAudiencesEndpoint,
  listLogLinesEndpoint,
  listReleasesEndpoint,
  updateAudienceEndpoint,
} from '../../http/dashboard.ts'
import { getConnectionEndpoint, probeConnectionEndpoint } from '../../http/getConnection.ts'
import { listOutboxEndpoint } from '../../http/listOutbox.ts'
import { addressEndpoints } from '../../http/parseCompat/addressClasses.ts'
import { classPathEndpoints } from '../../http/parseCompat/classPaths.ts'
import { olderFormEndpoints } from '../../http/parseCompat/olderForms.ts'
import { trackEventEndpoint } from '../../http/parseCompat/trackEvent.ts'
import { uploadFileEndpoint, uploadNamedFileEndpoint } from '../../http/uploadFile.ts'
import { startJobEndpoint, startNamedJobEndpoint } from '../../jobs/runs.ts'
import {
  createScheduleEndpoint,
  deleteScheduleEndpoint,
  listJobsEndpoint,
  listSchedulesEndpoint,
  updateScheduleEndpoint,
} from '../../jobs/schedules.ts'
import { aggregateEndpoint } from '../../objects/aggregateObjects.ts'
import { createObjectEndpoint } from '../../objects/createObject.ts'
import { deleteObjectEndpoint } from '../../objects/deleteObject.ts'
import { findObjectsEndpoint } from '../../objects/findObjects.ts'
import { getObjectEndpoint } from '../../objects/getObject.ts'
import {
  createInstallationEndpoint,
  deleteInstallationEndpoint,
  updateInstallationEndpoint,
} from '../../objects/installations.ts'
import { getConfigEndpoint, updateConfigEndpoint } from '../../objects/params.ts'
import {
  applySchemaEndpoint,
  createNamedSchemaEndpoint,
  createSchemaEndpoint,
  deleteSchemaEndpoint,
  getSchemaEndpoint,
  listSchemasEndpoint,
  purgeClassEndpoint,
  updateSchemaEndpoint,
} from '../../objects/schemas.ts'
import { getSessionEndpoint, listSessionsEndpoint } from '../../objects/sessions.ts'
import { updateObjectEndpoint } from '../../objects/updateObject.ts'
import { findUsersEndpoint, getUserEndpoint } from '../../objects/users.ts'
import {
  answerAuthorizationRequestEndpoint,
  getAuthorizationRequestEndpoint,
} from '../../oidc/authorizationRequests.ts'
import {
  createOidcClientEndpoint,
  deleteOidcClientEndpoint,
  listOidcClientsEndpoint,
  updateOidcClientEndpoint,
} from '../../oidc/clients.ts'
import { disconnectAppEndpoint, listConnectedAppsEndpoint } from '../../oidc/connectedApps.ts'
import { rotateSigningKeysEndpoint } from '../../oidc/rotateSigningKeys.ts'
import { getPushKeyEndpoint, sendPushEndpoint } from '../../push/sendPush.ts'
import { exportAccountEndpoint } from '../../transfer/exportAccount.ts'
import { listActivityEndpoint } from '../../users/activity.ts'
import { listSentMailsEndpoint } from '../../users/email/listSentMails.ts'
import { requestEmailVerificationEndpoint, verifyEmailEndpoint } from '../../users/email/verifyEmail.ts'
import {
  claimConsoleEndpoint,
  createOperatorLinkEndpoint,
  listOperatorsEndpoint,
  removeOperatorEndpoint,
  setOperatorEndpoint,
} from '../../users/operators.ts'
import { changePasswordEndpoint } from '../../users/passwords/changePassword.ts'
import { logInAsEndpoint, verifyPasswordEndpoint } from '../../users/passwords/logIn.ts'
import { requestPasswordResetEndpoint } from '../../users/passwords/requestPasswordReset.ts'
import { logOutEndpoint } from '../../users/sessions/logOut.ts'
import { revokeOtherSessionsEndpoint, revokeSessionEndpoint } from '../../users/sessions/sessions.ts'
import { createInvitationEndpoint, deleteInvitationEndpoint, listInvitationsEndpoint } from '../../users/signUpRules.ts'
import {
  createAccessTokenEndpoint,
  getAccessTokenEndpoint,
  listAccessTokensEndpoint,
  revokeAccessTokenEndpoint,
} from '../../users/tokens/accessTokens.ts'
import { listDeliveriesEndpoint, resendDeliveryEndpoint, testWebhookEndpoint } from '../../webhooks/deliveries.ts'
import {
  createRemoteFunctionEndpoint,
  createRemoteHookEndpoint,
  deleteRemoteFunctionEndpoint,
  deleteRemoteHookEndpoint,
  getRemoteFunctionEndpoint,
  getRemoteHookEndpoint,
  listRemoteFunctionsEndpoint,
  listRemoteHooksEndpoint,
  listRemoteHooksOfClassEndpoint,
  updateRemoteFunctionEndpoint,
  updateRemoteHookEndpoint,
} from '../../webhooks/parseCompat/saveRemote.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhooksEndpoint,
  updateWebhookEndpoint,
} from '../../webhooks/webhooks.ts'

export const endpoints: Endpoint[] = [
  listAuditEndpoint,
  deleteUserEndpoint,
  getCurrentUserEndpoint,
  logInEndpoint,
  logInByGetEndpoint,
  signUpEndpoint,
  updateUserEndpoint,
  createChallengeEndpoint,
  requestEmailCodeEndpoint,
  signInWithEmailCodeEndpoint,
  signInWithEmailLinkEndpoint,
  previewMergeEndpoint,
  mergeEndpoint,
  undoMergeEndpoint,
  undoMergeByLinkEndpoint,
  createPasskeyRegistrationEndpoint,
  createPasskeyChallengeEndpoint,
  listPasskeysEndpoint,
  registerPasskeyEndpoint,
  removePasskeyEndpoint,
  restorePasskeyEndpoint,
  signInWithPasskeyEndpoint,
  updatePasskeyEndpoint,
  challengeEndpoint,
  createFarcasterChallengeEndpoint,
  listProvidersEndpoint,
  createProviderChallengeEndpoint,
  signInWithProviderEndpoint,
  linkProviderEndpoint,
  signInWithFarcasterEndpoint,
  linkFarcasterEndpoint,
  unlinkIdentityEndpoint,
  restoreIdentityEndpoint,
  reauthenticateEndpoint,
  getAccountSecurityEndpoint,
  updateAccountSecurityEndpoint,
  recoverAccountEndpoint,
  createRecoveryCodesEndpoint,
  signInWithRecoveryCodeEndpoint,
  resetPasswordEndpoint,
  undoEmailChangeEndpoint,
  getSecondFactorEndpoint,
  updateSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  forgetDevicesEndpoint,
  startTotpEndpoint,
  confirmTotpEndpoint,
  signInWithSecondFactorEndpoint,
  createSessionEndpoint,
  updateSessionEndpoint,
  getCurrentSessionEndpoint,
  upgradeToRevocableSessionEndpoint,
  listSignInMethodsEndpoint,
  getSignInOptionsEndpoint,
  linkWalletEndpoint,
  signInWithWalletEndpoint,
  unlinkWalletEndpoint,
  restoreWalletEndpoint,
  updateWalletEndpoint,
  listWalletsEndpoint,
  listStatesEndpoint,
  replayStateEndpoint,
  listSyncsEndpoint,
  createSyncEndpoint,
  deleteSyncEndpoint,
  replaySyncEndpoint,
  listTokenGatesEndpoint,
  createTokenGateEndpoint,
  getTokenGateEndpoint,
  deleteTokenGateEndpoint,
  checkTokenGateEndpoint,
  listAccessKeysEndpoint,
  createAccessKeyEndpoint,
  rotateAccessKeyEndpoint,
  revokeAccessKeyEndpoint,
  listBackupsEndpoint,
  createBackupEndpoint,
  listDataViewsEndpoint,
  createDataViewEndpoint,
  updateDataViewEndpoint,
  deleteDataViewEndpoint,
  setSettingEndpoint,
  resetSettingEndpoint,
  undoSettingEndpoint,
  sendTestMailEndpoint,
  listConsoleFilesEndpoint,
  getChainStatusEndpoint,
  getConsoleEndpoint,
  getOverviewEndpoint,
  listKeysEndpoint,
  rotateKeysEndpoint,
  retireKeysEndpoint,
  listConsoleFunctionsEndpoint,
  listConsoleJobsEndpoint,
  listFindingsEndpoint,
  listScopesEndpoint,
  getSettingsEndpoint,
  listConsoleUsersEndpoint,
  listMailLogEndpoint,
  previewSchemaEndpoint,
  listConsoleRolesEndpoint,
  getConsoleRoleEndpoint,
  listRoleMembersEndpoint,
  listServicesEndpoint,
  createServiceEndpoint,
  updateServiceEndpoint,
  deleteServiceEndpoint,
  listSignInLimitsEndpoint,
  liftSignInLimitEndpoint,
  listSignInsEndpoint,
  listSlowQueriesEndpoint,
  getQueryPlanEndpoint,
  runSqlEndpoint,
  getSqlTablesEndpoint,
  listSavedQueriesEndpoint,
  createSavedQueryEndpoint,
  updateSavedQueryEndpoint,
  deleteSavedQueryEndpoint,
  testAccessEndpoint,
  listTokenGateHoldersEndpoint,
  testTokenGateEndpoint,
  getConsoleUserEndpoint,
  exportConsoleUserEndpoint,
  disableUserEndpoint,
  enableUserEndpoint,
  signOutUserEndpoint,
  endUserSessionEndpoint,
  scheduleUserDeletionEndpoint,
  undoUserDeletionEndpoint,
  verifyUserEmailEndpoint,
  sendUserResetEndpoint,
  impersonateUserEndpoint,
  endImpersonationEndpoint,
  deleteConsoleUserEndpoint,
  verifyAuditEndpoint,
  deleteFileEndpoint,
  ...functionEndpoints,
  runFunctionEndpoint,
  batchEndpoint,
  ...olderFunctionEndpoints,
  ...addressReadEndpoints,
  ...blockEndpoints,
  followTransactionEndpoint,
  listChainsEndpoint,
  getChainEndpoint,
  listLogsEndpoint,
  listEventsEndpoint,
  callContractEndpoint,
  ...listEndpoints,
  getCollectionEndpoint,
  listTokenIdsEndpoint,
  getNftPictureEndpoint,
  getNftEndpoint,
  ...portfolioEndpoints,
  listPriceChangesEndpoint,
  ...solanaEndpoints,
  ...tokenEndpoints,
  getValueHistoryEndpoint,
  ...syncEndpoints,
  getServerInfoEndpoint,
  listLogLinesEndpoint,
  listReleasesEndpoint,
  checkSecurityEndpoint,
  listAudiencesEndpoint,
  createAudienceEndpoint,
  getAudienceEndpoint,
  updateAudienceEndpoint,
  deleteAudienceEndpoint,
  getConnectionEndpoint,
  probeConnectionEndpoint,
  listOutboxEndpoint,
  ...addressEndpoints,
  ...classPathEndpoints,
  ...olderFormEndpoints,
  trackEventEndpoint,
  uploadFileEndpoint,
  uploadNamedFileEndpoint,
  startJobEndpoint,
  startNamedJobEndpoint,
  listSchedulesEndpoint,
  listJobsEndpoint,
  createScheduleEndpoint,
  updateScheduleEndpoint,
  deleteScheduleEndpoint,
  aggregateEndpoint,
  createObjectEndpoint,
  deleteObjectEndpoint,
  findObjectsEndpoint,
  getObjectEndpoint,
  createInstallationEndpoint,
  updateInstallationEndpoint,
  deleteInstallationEndpoint,
  getConfigEndpoint,
  updateConfigEndpoint,
  listSchemasEndpoint,
  getSchemaEndpoint,
  createSchemaEndpoint,
  createNamedSchemaEndpoint,
  updateSchemaEndpoint,
  deleteSchemaEndpoint,
  purgeClassEndpoint,
  applySchemaEndpoint,
  listSessionsEndpoint,
  getSessionEndpoint,
  updateObjectEndpoint,
  findUsersEndpoint,
  getUserEndpoint,
  getAuthorizationRequestEndpoint,
  answerAuthorizationRequestEndpoint,
  listOidcClientsEndpoint,
  createOidcClientEndpoint,
  updateOidcClientEndpoint,
  deleteOidcClientEndpoint,
  listConnectedAppsEndpoint,
  disconnectAppEndpoint,
  rotateSigningKeysEndpoint,
  sendPushEndpoint,
  getPushKeyEndpoint,
  exportAccountEndpoint,
  listActivityEndpoint,
  listSentMailsEndpoint,
  requestEmailVerificationEndpoint,
  verifyEmailEndpoint,
  claimConsoleEndpoint,
  listOperatorsEndpoint,
  setOperatorEndpoint,
  removeOperatorEndpoint,
  createOperatorLinkEndpoint,
  changePasswordEndpoint,
  verifyPasswordEndpoint,
  logInAsEndpoint,
  requestPasswordResetEndpoint,
  logOutEndpoint,
  revokeSessionEndpoint,
  revokeOtherSessionsEndpoint,
  listInvitationsEndpoint,
  createInvitationEndpoint,
  deleteInvitationEndpoint,
  listAccessTokensEndpoint,
  createAccessTokenEndpoint,
  revokeAccessTokenEndpoint,
  getAccessTokenEndpoint,
  testWebhookEndpoint,
  listDeliveriesEndpoint,
  resendDeliveryEndpoint,
  listRemoteFunctionsEndpoint,
  createRemoteFunctionEndpoint,
  getRemoteFunctionEndpoint,
  updateRemoteFunctionEndpoint,
  deleteRemoteFunctionEndpoint,
  listRemoteHooksEndpoint,
  createRemoteHookEndpoint,
  listRemoteHooksOfClassEndpoint,
  getRemoteHookEndpoint,
  updateRemoteHookEndpoint,
  deleteRemoteHookEndpoint,
  listWebhooksEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
]
