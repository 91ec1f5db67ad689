import { t } from '../../i18n/translate.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { QrPicture } from '../wallets/QrPicture.tsx'

/** Leads to a person's Farcaster app: by a code from another device, by the link on this one. */
export function FarcasterPrompt({ url }: { url: string }) {
  return (
    <div className="flex flex-col items-center gap-3" role="status">
      <QrPicture text={url} label={t('QR code that opens {provider}', { provider: 'Farcaster' })} />
      <p className="text-center text-sm text-muted">{t('Scan the code with your phone and approve in Farcaster.')}</p>
      <p className="flex items-center gap-1">
        <a className="font-medium text-accent underline" href={url} target="_blank" rel="noreferrer">
          {t('Open {provider}', { provider: 'Farcaster' })}
        </a>
        <CopyButton text={url} label={t('Copy link')} />
      </p>
    </div>
  )
}
