/** An account's display name: its names, or its email address without any. */
export const accountName = ({ name, lname, email }: { name: string; lname: string; email: string }): string =>
  `${name} ${lname}`.trim() || email
