import { t } from '../../i18n/translate.ts'

/** A sign-in method in the words of the console. */
export function nameMethod(method: string): string {
  switch (method) {
    case 'password':
      return t('Password')
    case 'wallet':
      return t('Wallet')
    case 'passkey':
      return t('Passkey')
    case 'provider':
      return t('Provider')
    case 'emailCode':
      return t('Code by email')
    case 'recoveryCode':
      return t('Recovery code')
    case 'secondFactor':
      return t('Second factor')
    case 'farcaster':
      return 'Farcaster'
    case 'guest':
      return t('Guest')
    case 'operator':
      return t('Opened by an operator')
    default:
      return t('Legacy client')
  }
}
