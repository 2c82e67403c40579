"""From drawn oil to drawn life: winding, ageing, what is left and how long it lasts."""
