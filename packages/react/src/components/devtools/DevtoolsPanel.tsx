'use client'

import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Client } from '../../core/client/Client.ts'
import {
  describeClient,
  describeError,
  type Facts,
  findWarning,
  formatTime,
  listPermissions,
  writeReport,
} from '../../core/devtools/describeClient.ts'
import { getRecorder } from '../../core/devtools/getRecorder.ts'
import { toCountersignError } from '../../core/errors/errors.ts'
import { getLiveState } from '../../core/live/subscribe.ts'
import type { Failure, Recorder, Recording, Transition } from '../../core/state/Recording.ts'
import { useClient } from '../../hooks/client/useClient.ts'
import { CallList, EntryList, SubscriptionList } from './EntryList.tsx'
import { RequestTable } from './RequestTable.tsx'

type Props = {
  readonly initiallyOpen: boolean
  readonly side: 'start' | 'end'
  readonly theme: 'light' | 'dark' | undefined
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
  const { exchanges, transitions, failures, calls } = recording
  const warning = findWarning(client)
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
          {warning && <span className="hidden">, {warning}</span>}
          {warning && (
            <span className="count" aria-hidden="true">
              !
            </span>
          )}
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
        {warning && (
          <p className="warning" role="status">
            {warning}
          </p>
        )}
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
            { name: 'Reads', content: <EntryList /> },
            { name: 'Actions', count: calls.length, content: <CallList calls={calls} /> },
            {
              name: 'Live',
              content: (
                <>
                  <FactList facts={live} />
                  <SubscriptionList />
                </>
              ),
            },
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

/** The states that the session went through, latest first. */
function HistoryList({ transitions }: { transitions: readonly Transition[] }) {
  return (
    <>
      <h3>History</h3>
      <ol className="history">
        {transitions.map(({ id, at, status, username }) => (
          <li key={id}>
            <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
            <span className="dot" data-status={status} />
            {status}
            {username && <span className="muted">{username}</span>}
          </li>
        ))}
      </ol>
    </>
  )
}

/** The recording; also renders when any other state of the panel changes. */
function useRecording(client: Client): { readonly recorder: Recorder; readonly recording: Recording } {
  const recorder = getRecorder(client)
  const recording = useSyncExternalStore(recorder.recording.subscribe, recorder.recording.get, recorder.recording.get)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const { session, initialization, wallet, connectors, mismatch } = client.internal
    const stores = [session, initialization, wallet, connectors, mismatch, getLiveState(client)]
    const ends = stores.map(({ subscribe }) => subscribe(redraw))
    return () => {
      for (const end of ends) end()
    }
  }, [client])
  return { recorder, recording }
}

/** The latest errors, each with its code, its sentence, and where it is explained. */
function ErrorList({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return <p className="muted">No error since the devtools were opened.</p>
  return (
    <ol className="errors">
      {failures.map(({ id, at, error }) => (
        <li key={id}>
          <h3>{error.message}</h3>
          <time className="muted" dateTime={new Date(at).toISOString()}>
            {formatTime(at)}
          </time>
          <FactList facts={describeError(error)} />
        </li>
      ))}
    </ol>
  )
}

/** Puts everything that the panel shows onto the clipboard, as text. */
function CopyReport({ write }: { write: () => string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(setOutcome, 2500, undefined)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(write())
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  const said = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Not allowed' : 'Copy as text'
  return (
    <button type="button" className="plain" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}

type Answer = { readonly permissions: readonly string[] } | { readonly error: string }

/** Wallet permissions, requested by a click: some wallets record the request. */
function PermissionList() {
  const client = useClient()
  const [answer, setAnswer] = useState<Answer>()
  const ask = () =>
    void listPermissions(client).then(
      (permissions) => setAnswer({ permissions }),
      (error: unknown) => setAnswer({ error: toCountersignError(error).message }),
    )
  return (
    <>
      <h3>Permissions</h3>
      <div role="status">
        {answer && 'error' in answer && <p className="danger">{answer.error}</p>}
        {answer && 'permissions' in answer && answer.permissions.length === 0 && <p className="muted">None.</p>}
        {answer && 'permissions' in answer && answer.permissions.length > 0 && (
          <ul>
            {answer.permissions.map((permission) => (
              <li key={permission} className="code">
                {permission}
              </li>
            ))}
          </ul>
        )}
      </div>
      <button type="button" className="button" onClick={ask}>
        Ask the wallet
      </button>
    </>
  )
}

type Tab = { name: string; count?: number; content: ReactNode }

/** Arrows, Home and End move among the tabs; Tab moves into the shown one. */
function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const { length } = tabs
    const places = new Map([
      ['ArrowRight', (chosen + 1) % length],
      ['ArrowLeft', (chosen - 1 + length) % length],
      ['Home', 0],
      ['End', length - 1],
    ])
    const place = places.get(event.key)
    if (place === undefined) return
    event.preventDefault()
    setChosen(place)
    list.current?.querySelectorAll('button')[place]?.focus()
  }
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move} tabIndex={-1}>
        {tabs.map(({ name, count = 0 }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-controls={`${id}-panel`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
            {count > 0 && <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <div className="content" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {tabs[chosen]?.content}
      </div>
    </>
  )
}

function FactList({ facts }: { facts: Facts }) {
  return (
    <dl>
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
