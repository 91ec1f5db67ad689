'use client'

import { type ComponentProps, type MouseEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { Connector } from '../../core/state/Connector.ts'
import { useSheet } from './SheetContext.ts'
import { useQrDrawing } from './useQrDrawing.ts'

const paths = {
  back: ['m14.5 5-7 7 7 7'],
  close: ['m6 6 12 12', 'M18 6 6 18'],
  check: ['m5.5 12.5 4.2 4.2 8.8-9.4'],
  wallet: [
    'M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3',
    'M4 7.5v9A2.5 2.5 0 0 0 6.5 19H18a2 2 0 0 0 2-2v-7a2 2 0 0 0-2-2H6.5',
    'M16 13.5h.01',
  ],
  phone: [
    'M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3z',
    'M11 18h2',
  ],
  passkey: [
    'M5 11.5a7 7 0 0 1 14 0V14',
    'M5 15.5v.5',
    'M8.5 18.5v-7a3.5 3.5 0 0 1 7 0v5.5',
    'M12 11.5v8',
    'M18.7 17.5l-.4 1.5',
  ],
  provider: ['M13 4.5h5.5v15H13', 'M4 12h10', 'm10.5 8.5 3.5 3.5-3.5 3.5'],
  mail: ['M4 6.5h16v11H4z', 'm4.5 7 7.5 6 7.5-6'],
  password: ['M12 15.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0z', 'm11 12.5 8.5-8.5', 'm15.5 8 3 3'],
  demo: ['M9 3h6', 'M10 3v6.2L4.8 18a2 2 0 0 0 1.7 3h11a2 2 0 0 0 1.7-3L14 9.2V3', 'M7.5 14.5h9'],
  copy: ['M9 9h10v11H9z', 'M15 9V4H5v11h4'],
  show: [
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z',
    'M14.5 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  ],
  hide: [
    'M9.5 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.4',
    'M6 7.4A17 17 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-.9',
    'm3.5 3.5 17 17',
  ],
  chevron: ['m9 6 6 6-6 6'],
  alert: ['M12 7.5v5.5', 'M12 16.5h.01', 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z'],
} as const

export type GlyphName = keyof typeof paths

/** A decorative drawing: its meaning is beside it in words. */
export function Glyph({ name, size = 20 }: { name: GlyphName; size?: number }) {
  return (
    <svg className="cs-glyph" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" data-glyph={name}>
      {paths[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { say } = useSheet()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(setCopied, 2500, false)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    void globalThis.navigator?.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <button type="button" className="cs-button" data-look="quiet" onClick={copy}>
      <Glyph name={isCopied ? 'check' : 'copy'} size={18} />
      <span aria-live="polite">{isCopied ? say('copied') : label}</span>
    </button>
  )
}

type NoticeProps = { tone: 'info' | 'quiet' | 'warn' | 'error'; title?: string; children?: ReactNode }

/** A message among the sign-in methods. Only an error interrupts a screen reader. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className="cs-notice" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}

/** The wallet's own image. In `<img>` no script of it runs, and only `data:` sends no request anywhere. */
export function WalletIcon({ connector, size }: { connector: Connector; size: 'small' | 'large' }) {
  const { icon, kind } = connector
  const glyph: GlyphName = kind === 'walletconnect' ? 'phone' : kind === 'demo' ? 'demo' : 'wallet'
  return (
    <span className="cs-icon" data-size={size}>
      {icon && /^data:image\//i.test(icon) ? (
        <img src={icon} alt="" draggable={false} />
      ) : (
        <Glyph name={glyph} size={size === 'large' ? 32 : 20} />
      )}
    </span>
  )
}

type ButtonProps = ComponentProps<'button'> & { look?: 'primary' | 'secondary' | 'quiet'; pending?: boolean }

/** While pending it keeps its width and its focus, and does nothing. */
export function SheetButton({
  look = 'primary',
  pending = false,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  // A disabled element would drop the keyboard focus, so pending only refuses the press.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      className="cs-button"
      data-look={look}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={press}
    >
      {children}
    </button>
  )
}

type HeaderProps = { id: string; title: string; headingRef: RefObject<HTMLHeadingElement | null>; onBack?: () => void }

export function SheetHeader({ id, title, headingRef, onBack }: HeaderProps) {
  const { say, close } = useSheet()
  return (
    <div className="cs-header">
      {onBack && (
        <button type="button" className="cs-plain" aria-label={say('back')} onClick={onBack}>
          <Glyph name="back" />
        </button>
      )}
      <h2 id={id} ref={headingRef} tabIndex={-1} className="cs-title">
        {title}
      </h2>
      <button type="button" className="cs-plain" aria-label={say('close')} onClick={close}>
        <Glyph name="close" />
      </button>
    </div>
  )
}

/** A QR code, drawn as one path; its code is loaded on first use. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const drawing = useQrDrawing(text)
  const size = drawing?.size ?? 1
  return (
    <svg className="cs-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      {drawing && <path d={drawing.path} />}
    </svg>
  )
}
