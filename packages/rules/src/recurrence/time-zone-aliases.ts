export type TimeZoneAlias = {
  code: string
  timeZone: string
  /** Other users of the code for a different zone; empty when none is known. */
  settledAgainst: string
}

/**
 * Short codes that people and devices write instead of an IANA id. A standard code and its daylight code name the same
 * zone, because clients send whichever applies today. Codes are not passed to Intl, which reads EST as Panama and BST
 * as Dhaka, and does not know CEST.
 */
const aliases: readonly (readonly [codes: string, timeZone: string, settledAgainst?: string])[] = [
  ['IST', 'Asia/Kolkata', 'Israel (PG Default), Ireland. Home of the original; Java, ICU, PG India'],
  ['UTC GMT Z UT', 'Etc/UTC'],
  ['WET WEST', 'Europe/Lisbon'],
  ['BST', 'Europe/London', 'Bangladesh (Java). PG Default = British Summer'],
  ['EST EDT ET', 'America/New_York', 'Australia; Panama (ICU)'],
  ['CST CDT CT', 'America/Chicago', 'China, Cuba, Australia (PG same)'],
  ['MST MDT MT', 'America/Denver', 'Phoenix (ICU)'],
  ['PST PDT PT', 'America/Los_Angeles', 'Philippines, Pakistan'],
  ['AKST AKDT', 'America/Anchorage'],
  ['HST', 'Pacific/Honolulu'],
  ['AST ADT', 'America/Halifax', 'Arabia; Anchorage (Java). PG = Atlantic'],
  ['NST NDT', 'America/St_Johns', 'Auckland (Java). PG = Newfoundland'],
  ['CET CEST MET MEZ', 'Europe/Paris'],
  ['EET EEST', 'Europe/Athens'],
  ['MSK', 'Europe/Moscow'],
  ['TRT', 'Europe/Istanbul'],
  ['SAST', 'Africa/Johannesburg', 'South Australia (PG Default)'],
  ['EAT', 'Africa/Nairobi'],
  ['WAT', 'Africa/Lagos'],
  ['CAT', 'Africa/Maputo'],
  ['GST', 'Asia/Dubai', 'South Georgia, Guam'],
  ['PKT', 'Asia/Karachi'],
  ['NPT', 'Asia/Kathmandu'],
  ['BDT', 'Asia/Dhaka', 'Brunei'],
  ['BTT', 'Asia/Thimphu'],
  ['MMT', 'Asia/Yangon'],
  ['ICT', 'Asia/Bangkok'],
  ['WIB', 'Asia/Jakarta'],
  ['MYT', 'Asia/Kuala_Lumpur'],
  ['SGT', 'Asia/Singapore'],
  ['HKT', 'Asia/Hong_Kong'],
  ['PHT', 'Asia/Manila'],
  ['JST', 'Asia/Tokyo'],
  ['KST', 'Asia/Seoul'],
  ['AEST AEDT', 'Australia/Sydney'],
  ['ACST', 'Australia/Adelaide', 'Acre (PG)'],
  ['ACDT', 'Australia/Adelaide'],
  ['AWST', 'Australia/Perth'],
  ['NZST NZDT', 'Pacific/Auckland'],
  ['BRT', 'America/Sao_Paulo'],
  ['ART', 'America/Argentina/Buenos_Aires'],
  ['CLT CLST', 'America/Santiago'],
  ['COT', 'America/Bogota'],
  ['PET', 'America/Lima'],
  ['VET', 'America/Caracas'],
  ['IDT', 'Asia/Jerusalem'],
  ['IRST', 'Asia/Tehran'],
]

export const timeZoneAliases: readonly TimeZoneAlias[] = aliases.flatMap(([codes, timeZone, settledAgainst = '']) =>
  codes.split(' ').map((code) => ({ code, timeZone, settledAgainst })),
)
