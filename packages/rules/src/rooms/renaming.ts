/** The name of a person in a call, and the one that hosts knew the person by before. */
export type NameInCall = { name: string; formerName: string | null }

/**
 * Change a person's name in a call. The former name is the first one, so that several changes do not hide it; a person
 * who had no name, or has the first one again, has none.
 */
export function renamed({ name, formerName }: NameInCall, wanted: string): NameInCall {
  const first = formerName ?? name
  return { name: wanted, formerName: first === '' || first === wanted ? null : first }
}
