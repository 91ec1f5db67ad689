/** Warning for hooks that wait because the client was never initialized. */
export function describeWaiting(readings: number): string {
  const waiting = readings === 0 ? '' : ` and ${readings === 1 ? '1 hook waits' : `${readings} hooks wait`} for data`
  return `The client is not initialized, so the session is unknown${waiting}. Set initializeOnMount on <CountersignProvider>, or call initialize() of useInitialization().`
}
