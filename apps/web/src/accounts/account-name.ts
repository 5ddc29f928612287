/** How somebody is called: by their names, else by their address. */
export const accountName = ({ name, lname, email }: { name: string; lname: string; email: string }): string =>
  `${name} ${lname}`.trim() || email
