import type { Activity, Session } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { t } from '../i18n/translate.ts'

const sentences: Record<string, () => string> = {
  signUp: () => t('Account created'),
  addPassword: () => t('Password added'),
  changePassword: () => t('Password changed'),
  resetPassword: () => t('Password reset by email'),
  changeEmail: () => t('Email address changed'),
  undoEmailChange: () => t('Email address restored'),
  recoverAccount: () => t('Account recovered'),
  takeOverByEmail: () => t('Opened by email; other sign-in methods removed'),
  linkWallet: () => t('Wallet linked'),
  unlinkWallet: () => t('Wallet removed'),
  restoreWallet: () => t('Wallet restored'),
  settleWallet: () => t('Smart account deployed'),
  setPrimaryWallet: () => t('Primary wallet changed'),
  createAccessToken: () => t('Access token created'),
  revokeAccessToken: () => t('Access token revoked'),
  useAccessToken: () => t('Access token used'),
  addPasskey: () => t('Passkey added'),
  removePasskey: () => t('Passkey removed'),
  restorePasskey: () => t('Passkey restored'),
  refusePasskey: () => t('Cloned passkey blocked'),
  createRecoveryCodes: () => t('Recovery codes generated'),
  useRecoveryCode: () => t('Recovery code used'),
  turnSecondFactorOn: () => t('Second factor turned on'),
  turnSecondFactorOff: () => t('Second factor turned off'),
  turnAlertsOn: () => t('Alerts turned on'),
  turnAlertsOff: () => t('Alerts turned off'),
  exportAccount: () => t('Data exported'),
  reauthenticate: () => t('Identity confirmed'),
  merge: () => t('Another account merged into this one'),
  undoMerge: () => t('Account merge undone'),
  mergedInto: () => t('This account merged into another one'),
  linkIdentity: () => t('Sign-in method added'),
  unlinkIdentity: () => t('Sign-in method removed'),
  linkAnonymous: () => t('Guest access added'),
  unlinkAnonymous: () => t('Guest access removed'),
  deleteAccount: () => t('Account deleted'),
  restoreAccount: () => t('Account restored'),
  connectApp: () => t('App connected'),
  disconnectApp: () => t('App access ended'),
  agentCall: () => t('Change by an app'),
  becomeOperator: () => t('Became an operator'),
  loseOperator: () => t('No longer an operator'),
  disableAccount: () => t('Disabled by an operator'),
  enableAccount: () => t('Enabled by an operator'),
  signOutByOperator: () => t('Signed out by an operator'),
  verifyEmailByOperator: () => t('Email verified by an operator'),
  impersonate: () => t('Opened by an operator'),
}

/** Describes an event, and its subject. */
export function describeActivity(
  { action, details }: Pick<Activity, 'action' | 'details'>,
  checksum = (address: string) => address,
): { title: string; subject?: string } {
  if (action === 'signIn') return { title: describeOrigin(readOrigin(details)) }
  const title = sentences[action]?.() ?? action
  const subject = [details.name, details.username, details.provider, details.app].find(
    (value) => typeof value === 'string',
  )
  if (subject) return { title, subject }
  return typeof details.address === 'string' ? { title, subject: shortenAddress(checksum(details.address)) } : { title }
}

function readOrigin({ action, authProvider }: Activity['details']): Parameters<typeof describeOrigin>[0] {
  return {
    action: action === 'signup' || action === 'create' || action === 'upgrade' ? action : 'login',
    ...(typeof authProvider === 'string' && { authProvider }),
  }
}

/** Short description of a session's origin, followed by a time. */
export function describeOrigin(createdWith: Session['createdWith']): string {
  if (createdWith?.authProvider === 'operator') return t('Opened by an operator')
  if (createdWith?.action === 'signup') return t('Account created')
  if (createdWith?.action === 'create') return t('Created by an app')
  if (createdWith?.action !== 'login') return t('Created')
  switch (createdWith.authProvider) {
    case 'password':
      return t('Signed in with password')
    case 'passkey':
      return t('Signed in with passkey')
    case 'recovery':
      return t('Signed in with a recovery code')
    case 'emailCode':
      return t('Signed in with a code by email')
    case 'eip155':
    case 'solana':
    case 'moralisEth':
    case 'moralisSol':
      return t('Signed in with wallet')
    default:
      return t('Signed in')
  }
}

type ActivityKind = { id: string; actions: readonly string[]; describe: () => string }

/** Filters of the activity list. */
export const activityKinds: readonly ActivityKind[] = [
  { id: 'sign-ins', actions: ['signIn', 'signUp'], describe: () => t('Sign-ins') },
  {
    id: 'password',
    actions: [
      'addPassword',
      'changePassword',
      'resetPassword',
      'changeEmail',
      'undoEmailChange',
      'recoverAccount',
      'takeOverByEmail',
    ],
    describe: () => t('Password and email'),
  },
  {
    id: 'wallets',
    actions: ['linkWallet', 'unlinkWallet', 'restoreWallet', 'settleWallet', 'setPrimaryWallet'],
    describe: () => t('Wallets'),
  },
  {
    id: 'passkeys',
    actions: ['addPasskey', 'removePasskey', 'restorePasskey', 'refusePasskey'],
    describe: () => t('Passkeys'),
  },
  {
    id: 'recovery',
    actions: [
      'createRecoveryCodes',
      'useRecoveryCode',
      'turnSecondFactorOn',
      'turnSecondFactorOff',
      'turnAlertsOn',
      'turnAlertsOff',
    ],
    describe: () => t('Recovery codes and alerts'),
  },
  { id: 'exports', actions: ['exportAccount'], describe: () => t('Exports') },
  { id: 'confirmations', actions: ['reauthenticate'], describe: () => t('Confirmations') },
  {
    id: 'accounts',
    actions: [
      'merge',
      'undoMerge',
      'mergedInto',
      'linkIdentity',
      'unlinkIdentity',
      'linkAnonymous',
      'unlinkAnonymous',
      'deleteAccount',
      'restoreAccount',
    ],
    describe: () => t('Account merges'),
  },
]
