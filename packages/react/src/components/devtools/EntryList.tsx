'use client'

import { useEffect, useReducer } from 'react'
import { describeEntry, formatTime, listEntries, listSubscriptions } from '../../core/devtools/describeClient.ts'
import type { Call } from '../../core/state/Recording.ts'
import { useClient } from '../../hooks/client/useClient.ts'

/** Interval (ms) between two looks: a subscription would count as a component that uses the reading. */
const glance = 500

function useGlances(): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(redraw, glance)
    return () => clearInterval(timer)
  }, [])
}

/** Active readings, and cached ones. */
export function EntryList() {
  useGlances()
  const entries = listEntries(useClient())
  if (entries.length === 0) return <p className="muted">No hook reads anything.</p>
  return (
    <ul className="requests">
      {entries.map((entry) => (
        <li key={entry.key}>
          <span className="path wide">{entry.question}</span>
          <span className="status" data-bad={entry.isBad || undefined}>
            {entry.status}
          </span>
          <span className="muted meta">{describeEntry(entry)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The live subscriptions, and how far each of them is. */
export function SubscriptionList() {
  useGlances()
  const subscriptions = listSubscriptions(useClient())
  return (
    <>
      <h3>Subscriptions</h3>
      {subscriptions.length === 0 && <p className="muted">None.</p>}
      <ul className="requests">
        {subscriptions.map(({ id, query, phase }) => (
          <li key={id}>
            <span className="path wide">{query}</span>
            <span className="status" data-bad={phase === 'refused' || undefined}>
              {phase}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The latest actions that hooks started, without their input. */
export function CallList({ calls }: { calls: readonly Call[] }) {
  if (calls.length === 0) return <p className="muted">No hook started an action since the devtools were opened.</p>
  return (
    <ul className="requests">
      {calls.map(({ id, at, name, status, duration, error }) => (
        <li key={id}>
          <span className="path wide">{name}</span>
          <span className="status" data-bad={error !== undefined || undefined}>
            {error ? `error ${error.code}` : status}
          </span>
          <span className="muted meta">
            {formatTime(at)}
            {duration !== undefined && ` · ${duration} ms`}
            {error && ` · ${error.message}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
