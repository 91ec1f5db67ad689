const key = 'Countersign/newcomer'
const listeners = new Set<() => void>()

function read(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

let userId = read()
let isExpected = false

function publish(next: string | undefined) {
  userId = next
  try {
    if (next === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
  } catch {
    // Storage is refused in some privacy modes: the invitation then lasts until the page is left.
  }
  for (const listener of listeners) listener()
}

/** User who signed up in this tab and has not seen the setup page yet. Shown once. */
export const onboarding = {
  get: () => userId,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  arrive: (id: string) => publish(id),
  /** Somebody is creating an account here: the next user who is signed in is new. */
  expect(next: boolean) {
    isExpected = next
  },
  isExpected: () => isExpected,
  greet() {
    isExpected = false
    publish(undefined)
  },
}
