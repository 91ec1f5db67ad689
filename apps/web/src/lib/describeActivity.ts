import { type Activity, shortenAddress } from '@countersign/react'
import { describeOrigin } from './describeOrigin.ts'

const sentences: Record<string, string> = {
  signUp: 'Account created',
  addPassword: 'Password added',
  changePassword: 'Password changed',
  resetPassword: 'Password reset by mail',
  changeEmail: 'E-mail address changed',
  linkWallet: 'Wallet linked',
  unlinkWallet: 'Wallet removed',
  restoreWallet: 'Wallet put back',
  setPrimaryWallet: 'Primary wallet chosen',
  addPasskey: 'Passkey added',
  removePasskey: 'Passkey removed',
  refusePasskey: 'A copied passkey was refused',
  createRecoveryCodes: 'Recovery codes made',
  useRecoveryCode: 'Recovery code used',
  turnAlertsOn: 'Alerts turned on',
  turnAlertsOff: 'Alerts turned off',
  exportAccount: 'Data exported',
  stepUp: 'Confirmed that it is you',
  merge: 'Another account joined this one',
  undoMerge: 'Joined account set free again',
  mergedInto: 'This account joined another one',
  linkAnonymous: 'Guest access added',
  unlinkAnonymous: 'Guest access removed',
}

/** What happened, in words, and what it happened to. */
export function describeActivity({ action, details }: Activity): { title: string; subject?: string } {
  if (action === 'signIn') return { title: describeOrigin(readOrigin(details)) }
  const title = sentences[action] ?? action
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
