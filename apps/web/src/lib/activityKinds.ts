import { say } from './say.ts'

export type ActivityKind = { id: string; actions: readonly string[]; describe: () => string }

/** What a person may narrow their activity to. */
export const activityKinds: readonly ActivityKind[] = [
  { id: 'sign-ins', actions: ['signIn', 'signUp'], describe: () => say('Sign-ins') },
  {
    id: 'password',
    actions: ['addPassword', 'changePassword', 'resetPassword', 'changeEmail', 'undoEmailChange'],
    describe: () => say('Password and e-mail'),
  },
  {
    id: 'wallets',
    actions: ['linkWallet', 'unlinkWallet', 'restoreWallet', 'settleWallet', 'setPrimaryWallet'],
    describe: () => say('Wallets'),
  },
  { id: 'passkeys', actions: ['addPasskey', 'removePasskey', 'refusePasskey'], describe: () => say('Passkeys') },
  {
    id: 'recovery',
    actions: ['createRecoveryCodes', 'useRecoveryCode', 'turnAlertsOn', 'turnAlertsOff'],
    describe: () => say('Recovery codes and alerts'),
  },
  { id: 'exports', actions: ['exportAccount'], describe: () => say('Exports') },
  { id: 'confirmations', actions: ['stepUp'], describe: () => say('Confirmations') },
  {
    id: 'accounts',
    actions: [
      'merge',
      'undoMerge',
      'mergedInto',
      'linkAnonymous',
      'unlinkAnonymous',
      'deleteAccount',
      'restoreAccount',
    ],
    describe: () => say('Accounts put together'),
  },
]
