import { useEffect, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { Glyph } from './Glyph.tsx'
import { isTouchDevice } from './isTouchDevice.ts'
import { QrCode } from './QrCode.tsx'
import { useSheet } from './SheetContext.ts'

/** How long a wallet app may take to come to the front before it counts as missing. */
const patience = 2000

/** Connects a wallet on a phone: by a code from another screen, by a link on the phone itself. */
export function Pairing({ uri }: { uri: string }) {
  const { say, links } = useSheet()
  const [isHere] = useState(isTouchDevice)
  const [isOpened, setOpened] = useState(false)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (!isOpened) return
    // The page is hidden as soon as another app takes over.
    const timer = setTimeout(() => setMissing(document.visibilityState === 'visible'), patience)
    return () => clearTimeout(timer)
  }, [isOpened])
  // A text of any other scheme could be an address that runs script or leads elsewhere (S32).
  const isLink = /^wc:/i.test(uri)
  if (!isHere || !isLink) {
    return (
      <div className="cs-pairing">
        <QrCode text={uri} label={say('codeLabel')} />
        <div className="cs-status">
          <p className="cs-lead">{say('scan')}</p>
          <p className="cs-text">{say('scanHint')}</p>
        </div>
        <CopyButton text={uri} label={say('copyLink')} />
      </div>
    )
  }
  return (
    <div className="cs-pairing">
      <div className="cs-status">
        <p className="cs-lead">{isMissing ? say('appMissing') : say('openAppLead')}</p>
        <p className="cs-text">{isMissing ? say('appMissingHint') : say('openAppHint')}</p>
      </div>
      <a
        className="cs-button"
        data-look="primary"
        href={uri}
        onClick={() => {
          setMissing(false)
          setOpened(true)
        }}
      >
        {say('openApp')}
      </a>
      {isMissing && links.getWallet && (
        <a className="cs-button" data-look="secondary" href={links.getWallet} target="_blank" rel="noreferrer">
          {say('getWallet')}
        </a>
      )}
      <CopyButton text={uri} label={say('copyLink')} />
      <details className="cs-message" open={isMissing || undefined}>
        <summary>
          {say('showCode')}
          <Glyph name="chevron" size={16} />
        </summary>
        <QrCode text={uri} label={say('codeLabel')} />
      </details>
    </div>
  )
}
