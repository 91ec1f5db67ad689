import { useQrDrawing } from '@countersign/react/sheet'
import { t } from '../../i18n/translate.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** The key of an authenticator app, as a picture and as text. Black on white in either theme: some readers take nothing else. */
export function TotpKey({ secret, uri }: { secret: string; uri: string }) {
  const drawing = useQrDrawing(uri, 2)
  const size = drawing?.size ?? 1
  return (
    <div className="mb-5 flex flex-col items-center gap-4">
      <svg
        role="img"
        aria-label={t('QR code for your authenticator app')}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="aspect-square h-auto w-48 max-w-full rounded-control bg-white"
      >
        {drawing && <path d={drawing.path} fill="#000" />}
      </svg>
      <p className="flex max-w-full items-center gap-2 text-sm">
        <span className="text-muted">{t('Key')}</span>
        <code className="min-w-0 break-all font-mono" translate="no">
          {secret}
        </code>
        <CopyButton text={secret} label={t('Copy')} />
      </p>
    </div>
  )
}
