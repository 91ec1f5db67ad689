let expected = false

/** Tells a sign-out that was asked for in this tab from one that came from elsewhere. Stands until the next sign-in. */
export const expectedSignOut = {
  begin() {
    expected = true
  },
  end() {
    expected = false
  },
  get: () => expected,
}
