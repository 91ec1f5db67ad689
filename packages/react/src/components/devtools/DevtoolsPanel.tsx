import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { describeClient } from '../../core/devtools/describeClient.ts'
import { writeReport } from '../../core/devtools/writeReport.ts'
import { useClient } from '../../hooks/useClient.ts'
import { CopyReport } from './CopyReport.tsx'
import type { CountersignDevtoolsProps } from './CountersignDevtools.tsx'
import { ErrorList } from './ErrorList.tsx'
import { FactList } from './FactList.tsx'
import { HistoryList } from './HistoryList.tsx'
import { PermissionList } from './PermissionList.tsx'
import { RequestTable } from './RequestTable.tsx'
import { Tabs } from './Tabs.tsx'
import { useRecording } from './useRecording.ts'

type Props = Required<Pick<CountersignDevtoolsProps, 'initiallyOpen' | 'side'>> & {
  theme: CountersignDevtoolsProps['theme'] | undefined
}

export function DevtoolsPanel({ initiallyOpen, side, theme }: Props) {
  const client = useClient()
  const { recorder, recording } = useRecording(client)
  const id = useId()
  const [isOpen, setOpen] = useState(initiallyOpen)
  const toggle = useRef<HTMLButtonElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (isOpen !== wasOpen.current) (isOpen ? heading : toggle).current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  const { session, wallet, live } = describeClient(client)
  const { exchanges, transitions, failures } = recording
  const status = session[0]?.[1] ?? ''
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setOpen(false)
  }
  const look = theme ?? document.documentElement.dataset.theme
  if (!isOpen) {
    return (
      <div className="dock" data-side={side} data-theme={look}>
        <button ref={toggle} type="button" className="toggle" aria-expanded="false" onClick={() => setOpen(true)}>
          <span className="dot" data-status={status} />
          Countersign
          <span className="hidden">devtools, session {status}</span>
          {failures.length > 0 && (
            <span className="count">
              {failures.length}
              <span className="hidden">{failures.length === 1 ? ' error' : ' errors'}</span>
            </span>
          )}
        </button>
      </div>
    )
  }
  return (
    <div className="dock" data-side={side} data-theme={look}>
      <section className="panel" aria-labelledby={id} onKeyDown={closeByKey}>
        <header>
          <span className="dot" data-status={status} />
          <h2 id={id} ref={heading} tabIndex={-1}>
            Countersign devtools
          </h2>
          <CopyReport write={() => writeReport(client, recording)} />
          <button type="button" className="plain" onClick={() => setOpen(false)}>
            Close
          </button>
        </header>
        <Tabs
          label="Parts of the session layer"
          tabs={[
            {
              name: 'Session',
              content: (
                <>
                  <FactList facts={session} />
                  <HistoryList transitions={transitions} />
                </>
              ),
            },
            {
              name: 'Wallet',
              content: (
                <>
                  <FactList facts={wallet} />
                  <PermissionList />
                </>
              ),
            },
            { name: 'Live', content: <FactList facts={live} /> },
            {
              name: 'Requests',
              count: exchanges.length,
              content: <RequestTable exchanges={exchanges} onClear={recorder.clear} />,
            },
            { name: 'Errors', count: failures.length, content: <ErrorList failures={failures} /> },
          ]}
        />
        <p className="hidden" aria-live="polite">
          {failures[0] ? `Error ${failures[0].error.code}: ${failures[0].error.message}` : ''}
        </p>
      </section>
    </div>
  )
}
