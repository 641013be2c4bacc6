module shop
