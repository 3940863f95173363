// English texts of the choice of a period.

export const period = {
  names: { '24h': 'Last 24 h', '7d': '7 days', week: 'Last week', '30d': '30 days' },
  own: 'From – to…',
  nights: 'Night of, 22:00 – 06:00',
  from: 'From',
  to: 'To',
  date: 'Date',
  time: 'Time',
  apply: 'Show this time',
  zone: (zone: string) => `Times of ${zone}`,
  wrong: 'The end must be after the beginning.',
};
