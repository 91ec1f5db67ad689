import type { Profile } from './profile.ts'

/** Unsaved edits by user, so that a look at another screen does not lose them. */
export const profileDrafts = new Map<string, Profile>()
