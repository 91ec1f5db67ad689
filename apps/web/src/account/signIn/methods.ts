import { Fingerprint, KeyRound, LogIn, type LucideIcon, Mail, WalletMinimal } from 'lucide-react'
import { t } from '../../i18n/translate.ts'

/** One icon and one description for each sign-in method, on all screens. The sheet has the same. */
export const methods = {
  passkey: { icon: Fingerprint, describe: () => t('Fingerprint, face or screen lock') },
  wallet: { icon: WalletMinimal, describe: () => t('Sign a message. No gas fee.') },
  password: { icon: KeyRound, describe: () => t('With your email or username') },
  emailCode: { icon: Mail },
  provider: { icon: LogIn, describe: () => t('Accounts you have elsewhere that sign you in here.') },
} as const satisfies Record<string, { icon: LucideIcon; describe?: () => string }>
