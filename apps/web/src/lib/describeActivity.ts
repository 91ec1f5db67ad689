import { type Activity, shortenAddress } from '@countersign/react'
import { describeOrigin } from './describeOrigin.ts'
import { say } from './say.ts'

const sentences: Record<string, () => string> = {
  signUp: () => say('Account created'),
  addPassword: () => say('Password added'),
  changePassword: () => say('Password changed'),
  resetPassword: () => say('Password reset by mail'),
  changeEmail: () => say('E-mail address changed'),
  undoEmailChange: () => say('E-mail address brought back'),
  linkWallet: () => say('Wallet linked'),
  unlinkWallet: () => say('Wallet removed'),
  restoreWallet: () => say('Wallet put back'),
  settleWallet: () => say('Smart account deployed'),
  setPrimaryWallet: () => say('Primary wallet chosen'),
  addPasskey: () => say('Passkey added'),
  removePasskey: () => say('Passkey removed'),
  refusePasskey: () => say('A copied passkey was refused'),
  createRecoveryCodes: () => say('Recovery codes made'),
  useRecoveryCode: () => say('Recovery code used'),
  turnAlertsOn: () => say('Alerts turned on'),
  turnAlertsOff: () => say('Alerts turned off'),
  exportAccount: () => say('Data exported'),
  stepUp: () => say('Confirmed that it is you'),
  merge: () => say('Another account joined this one'),
  undoMerge: () => say('Joined account set free again'),
  mergedInto: () => say('This account joined another one'),
  linkAnonymous: () => say('Guest access added'),
  unlinkAnonymous: () => say('Guest access removed'),
  deleteAccount: () => say('Account deleted'),
  restoreAccount: () => say('Account restored'),
}

/** What happened, in words, and what it happened to. */
export function describeActivity({ action, details }: Activity): { title: string; subject?: string } {
  if (action === 'signIn') return { title: describeOrigin(readOrigin(details)) }
  const title = sentences[action]?.() ?? action
  const subject = [details.name, details.username].find((value) => typeof value === 'string')
  if (subject) return { title, subject }
  return typeof details.address === 'string' ? { title, subject: shortenAddress(details.address) } : { title }
}

function readOrigin({ action, authProvider }: Activity['details']): Parameters<typeof describeOrigin>[0] {
  return {
    action: action === 'signup' || action === 'create' || action === 'upgrade' ? action : 'login',
    ...(typeof authProvider === 'string' && { authProvider }),
  }
}
