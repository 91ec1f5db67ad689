export type ActivityKind = { id: string; label: string; actions: readonly string[] }

/** What a person may narrow their activity to. */
export const activityKinds: readonly ActivityKind[] = [
  { id: 'sign-ins', label: 'Sign-ins', actions: ['signIn', 'signUp'] },
  {
    id: 'password',
    label: 'Password and e-mail',
    actions: ['addPassword', 'changePassword', 'resetPassword', 'changeEmail'],
  },
  { id: 'wallets', label: 'Wallets', actions: ['linkWallet', 'unlinkWallet', 'restoreWallet', 'setPrimaryWallet'] },
  { id: 'passkeys', label: 'Passkeys', actions: ['addPasskey', 'removePasskey', 'refusePasskey'] },
  {
    id: 'recovery',
    label: 'Recovery codes and alerts',
    actions: ['createRecoveryCodes', 'useRecoveryCode', 'turnAlertsOn', 'turnAlertsOff'],
  },
  { id: 'exports', label: 'Exports', actions: ['exportAccount'] },
  { id: 'confirmations', label: 'Confirmations', actions: ['stepUp'] },
  {
    id: 'accounts',
    label: 'Accounts put together',
    actions: ['merge', 'undoMerge', 'mergedInto', 'linkAnonymous', 'unlinkAnonymous'],
  },
]
