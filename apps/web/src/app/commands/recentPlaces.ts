const key = 'countersign.recentPlaces'
const most = 5

type Place = { to: string; label: string }

/** Places that a user opened from the palette in this tab, the last one first. Another user of the tab sees none. */
export function listRecentPlaces(userId: string): Place[] {
  try {
    const { user, places } = Object(JSON.parse(sessionStorage.getItem(key) ?? '{}')) as Record<string, unknown>
    if (user !== userId || !Array.isArray(places)) return []
    return places.filter((each): each is Place => typeof each?.to === 'string' && typeof each?.label === 'string')
  } catch {
    return []
  }
}

export function noteRecentPlace(userId: string, place: Place): void {
  const others = listRecentPlaces(userId).filter(({ to }) => to !== place.to)
  try {
    sessionStorage.setItem(key, JSON.stringify({ user: userId, places: [place, ...others].slice(0, most) }))
  } catch {
    // Without storage there are no recent places.
  }
}
