type Point = [latitude: number, longitude: number]

/** A polygon reads back closed: its first point stands at its end too. */
export function closePolygon(points: Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return points
  return [...points, first]
}
